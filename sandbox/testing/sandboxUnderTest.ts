import { inject } from 'vitest';
import type { SandboxDescription } from '#sandbox/stack/description.ts';

declare module 'vitest' {
  interface ProvidedContext {
    sandbox: SandboxDescription;
  }
}

/** The sandbox that all integration tests share: its addresses and capabilities. */
export function sandboxUnderTest(): SandboxDescription {
  return inject('sandbox');
}
