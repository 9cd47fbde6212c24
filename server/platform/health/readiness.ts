/** Whether a process is to be given work, and what speaks against it. */
export type Readiness = {
  /** Says that everything is up; until then it is not ready. */
  begin(): void;
  /** Says that it is being stopped: never ready again. */
  end(): void;
  look(): Promise<ReadinessResponse>;
};

export type ReadinessResponse = {
  status: 'ready' | 'starting' | 'stopping' | 'not_ready';
  /** Each part that was asked; `ok`, or what is wrong with it. */
  parts: Record<string, string>;
};

const TIMEOUT_MS = 2_000;

/** @param parts what the process cannot work without; each resolves when it is usable */
export function createReadiness(parts: Record<string, () => Promise<unknown>>): Readiness {
  let phase: 'starting' | 'running' | 'stopping' = 'starting';
  return {
    begin() {
      if (phase === 'starting') phase = 'running';
    },
    end() {
      phase = 'stopping';
    },
    async look() {
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
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('does not answer'), TIMEOUT_MS);
  });
  try {
    return await Promise.race([ask().then(() => 'ok'), late]);
  } catch {
    // What a driver says may name hosts and users, and this is read by everybody.
    return 'fails';
  } finally {
    clearTimeout(timer);
  }
}
