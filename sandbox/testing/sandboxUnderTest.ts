import { inject } from 'vitest';
import type { SandboxDescription } from '#sandbox/stack/description.ts';

declare module 'vitest' {
  interface ProvidedContext {
    sandbox: SandboxDescription;
  }
}

/** The sandbox that all integration tests share: where it listens and what it lets them do. */
export function sandboxUnderTest(): SandboxDescription {
  return inject('sandbox');
}
