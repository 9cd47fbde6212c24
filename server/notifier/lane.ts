import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../platform/log.ts';
import { repeat } from '../platform/process/repeat.ts';

const POLL_MS = 500;
const DRAIN_MS = 2_000;

/** Deliveries of one kind that share a number of places, so that they hold up none of another. */
export type Lane<Claim> = {
  /** Attempts under way at once. */
  places: number;
  /** Of those, at most so many to one target. */
  perTarget: number;
  targetOf(claim: Claim): string;
  /** @param busy targets that have all the places they may have */
  claim(limit: number, busy: readonly string[]): Promise<Claim[]>;
  attempt(claim: Claim): Promise<void>;
};

/** Sends what is due, until the signal. What has not ended soon after it, another process sends. */
export async function runLane<Claim>(
  lane: Lane<Claim>,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<void> {
  const underWay = new Map<Promise<void>, string>();
  const takeMore = async () => {
    while (!signal.aborted) {
      const claims = await lane.claim(lane.places - underWay.size, busyTargets(lane, underWay));
      for (const claim of claims) {
        const attempt: Promise<void> = lane
          .attempt(claim)
          .catch((err: unknown) => log.error({ err }, 'a delivery was not recorded'))
          .finally(() => underWay.delete(attempt));
        underWay.set(attempt, lane.targetOf(claim));
      }
      if (claims.length === 0) return;
      if (underWay.size >= lane.places) await Promise.race(underWay.keys());
    }
  };
  await repeat(POLL_MS, takeMore, { log, signal, heldUp: 'deliveries are delayed; retrying' });
  await Promise.race([Promise.all(underWay.keys()), delay(DRAIN_MS)]);
}

function busyTargets(
  { perTarget }: Pick<Lane<unknown>, 'perTarget'>,
  underWay: ReadonlyMap<unknown, string>,
): string[] {
  const counts = new Map<string, number>();
  for (const target of underWay.values()) counts.set(target, (counts.get(target) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= perTarget).map(([target]) => target);
}
