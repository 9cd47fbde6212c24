import { setTimeout as delay } from 'node:timers/promises';
import { attemptDelivery, claimDeliveries, type Sender } from '../domain/notifications/deliver.ts';
import type { Database } from '../platform/database/client.ts';
import type { Log } from '../platform/log.ts';
import { repeat } from '../platform/process/repeat.ts';

const POLL_MS = 500;
const DRAIN_MS = 2_000;

/** Concurrent attempts of a lane, and of those the most to one proven target. */
const PLACES: Record<Sender['channel'], { lane: number; provenTarget: number }> = {
  webhook: { lane: 64, provenTarget: 4 },
  push: { lane: 48, provenTarget: 2 },
};

/**
 * Deliveries with places of their own, so that they cannot delay another lane. Targets that accepted
 * their last message are apart from unproven ones, which callers can create at will.
 */
export type Lane = { sender: Sender; isProven: boolean };

type LaneDeps = { database: Database; log: Log };

/** Sends due deliveries until the signal; another process takes over unfinished ones. */
export async function runLane(
  deps: LaneDeps,
  { sender, isProven }: Lane,
  signal: AbortSignal,
): Promise<void> {
  const { database, log } = deps;
  const { channel } = sender;
  const places = PLACES[channel];
  const perTarget = isProven ? places.provenTarget : 1;
  const underWay = new Map<Promise<void>, string>();
  const takeMore = async () => {
    for (;;) {
      const busy = busyTargets(underWay.values(), perTarget);
      const limit = places.lane - underWay.size;
      const claimed = await claimDeliveries(database, {
        channel,
        limit,
        perTarget,
        busy,
        isProven,
      });
      for (const delivery of claimed) {
        const attempt: Promise<void> = attemptDelivery(database, sender, delivery)
          .catch((err: unknown) => log.error({ err }, 'a delivery was not recorded'))
          .finally(() => underWay.delete(attempt));
        underWay.set(attempt, delivery.targetId);
      }
      if (underWay.size === 0 || signal.aborted) return;
      // An attempt that ends makes room for the next.
      await Promise.race([...underWay.keys(), delay(POLL_MS)]);
    }
  };
  await repeat(POLL_MS, takeMore, { log, signal, heldUp: 'deliveries are delayed; retrying' });
  await Promise.race([Promise.all(underWay.keys()), delay(DRAIN_MS)]);
}

function busyTargets(targets: Iterable<string>, perTarget: number): string[] {
  const counts = new Map<string, number>();
  for (const target of targets) counts.set(target, (counts.get(target) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= perTarget).map(([target]) => target);
}
