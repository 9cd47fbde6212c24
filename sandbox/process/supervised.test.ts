import { describe, expect, it } from 'vitest';
import { pollUntil } from './poll.ts';
import { type Incident, type RunningPart, runSupervised } from './supervised.ts';

type Fake = RunningPart & { die: (how: string) => void };

/** A part that runs until the test kills or stops it. */
function fakePart(pid: number): Fake {
  const exit = Promise.withResolvers<string>();
  return {
    pids: [pid],
    exited: exit.promise,
    die: exit.resolve,
    stop: async () => exit.resolve('stopped'),
  };
}

function keeping(startsWith: (attempt: number) => Fake | Error) {
  const parts: Fake[] = [];
  const incidents: Incident[] = [];
  let attempts = 0;
  const kept = runSupervised({
    name: 'web',
    signal: new AbortController().signal,
    start: async () => {
      attempts += 1;
      const outcome = startsWith(attempts);
      if (outcome instanceof Error) throw outcome;
      parts.push(outcome);
      return outcome;
    },
    onIncident: (incident) => incidents.push(incident),
    onChange: () => undefined,
  });
  return { kept, parts, incidents, attempts: () => attempts };
}

describe('a supervised part', () => {
  it('given its death, is restarted and says so once', async () => {
    const { kept, parts, incidents } = keeping((attempt) => fakePart(attempt));
    const supervised = await kept;
    expect(supervised.pids()).toEqual([1]);
    parts[0]?.die('SIGKILL');
    await pollUntil(() => supervised.pids()[0] === 2 || undefined, { timeoutMs: 2_000 });
    expect(supervised.pids()).toEqual([2]);
    expect(incidents.map((incident) => incident.text)).toEqual([
      'ended (SIGKILL), starting it again',
      'is back',
    ]);
    await supervised.stop();
  });

  it('given failing restarts, is tried again', async () => {
    const { kept, parts, incidents } = keeping((attempt) =>
      attempt === 2 || attempt === 3 ? new Error('no room\nand more') : fakePart(attempt),
    );
    const supervised = await kept;
    parts[0]?.die('code 1');
    await pollUntil(() => supervised.pids()[0] === 4 || undefined, { timeoutMs: 5_000 });
    expect(supervised.pids()).toEqual([4]);
    expect(incidents.map((incident) => incident.text)).toContain('does not come back yet: no room');
    await supervised.stop();
  });

  it('given a stop, is not restarted', async () => {
    const { kept, attempts } = keeping((attempt) => fakePart(attempt));
    await (await kept).stop();
    expect(attempts()).toBe(1);
  });

  it('given a failed first start, passes the failure on', async () => {
    await expect(keeping(() => new Error('no port')).kept).rejects.toThrow('no port');
  });
});
