import type { ServerResponse } from 'node:http';
import { withTimeout } from '../withTimeout.ts';

/** Whether a process can take work, and otherwise why not. */
export type Readiness = {
  /** Everything has started; before it is not ready. */
  begin(): void;
  /** The process is stopping; it is never ready again. */
  end(): void;
  check(): Promise<ReadinessResponse>;
};

export type ReadinessResponse = {
  status: 'ready' | 'starting' | 'stopping' | 'not_ready';
  /** Each checked part: `ok`, or its problem. */
  parts: Record<string, string>;
};

const TIMEOUT_MS = 2_000;

/** @param parts the process's dependencies; each resolves when it is usable */
export function createReadiness(parts: Record<string, () => Promise<unknown>>): Readiness {
  let phase: 'starting' | 'running' | 'stopping' = 'starting';
  return {
    begin() {
      if (phase === 'starting') phase = 'running';
    },
    end() {
      phase = 'stopping';
    },
    async check() {
      if (phase !== 'running') return { status: phase, parts: {} };
      const states = await Promise.all(
        Object.entries(parts).map(async ([name, ask]) => [name, await stateOf(ask)] as const),
      );
      const isReady = states.every(([, state]) => state === 'ok');
      return { status: isReady ? 'ready' : 'not_ready', parts: Object.fromEntries(states) };
    },
  };
}

async function stateOf(ask: () => Promise<unknown>): Promise<string> {
  try {
    const state = ask().then(() => 'ok');
    return (await withTimeout(state, TIMEOUT_MS)) ?? 'does not respond';
  } catch {
    // This is public, and a driver's message may name hosts and users.
    return 'fails';
  }
}

/**
 * Serves /healthz (this process runs) and /readyz (it can take work: 200, otherwise 503).
 * @returns whether the path was one of them
 */
export function handleHealth(
  path: string,
  response: ServerResponse,
  readiness: Readiness,
): boolean {
  if (path === '/healthz') {
    reply(response, 200, { status: 'ok' });
    return true;
  }
  if (path !== '/readyz') return false;
  readiness
    .check()
    .then((state) => reply(response, state.status === 'ready' ? 200 : 503, state))
    .catch(() => response.destroy());
  return true;
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(`${JSON.stringify(body)}\n`);
}
