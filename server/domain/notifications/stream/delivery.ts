import type { Database } from '#server/platform/database/client.ts';
import type { Log } from '#server/platform/log.ts';
import { listSavedVersions } from '../../accounts/saved/savedItems.ts';
import { findInactiveApiKeys } from '../../auth/manageApiKeys.ts';
import { findEndedSessions } from '../../auth/sessions.ts';
import { maySee, readFeed } from '../../orders/read/eventFeed.ts';
import type { createMarketTail } from './marketTail.ts';
import { createOrderTail } from './orderTail.ts';
import type { Subscriber } from './subscriber.ts';
import { createTransferTail, storedTransfers } from './transferTail.ts';

const ORDER_POLL_MS = 250;
const MARKET_POLL_MS = 250;
const MOVEMENT_POLL_MS = 500;
const SAVED_POLL_MS = 1_000;
const CREDENTIAL_POLL_MS = 1_000;
const HEARTBEAT_MS = 15_000;
const MAX_AGE_MS = 60 * 60_000;
const MAX_REPLAY = 2_000;

type Deps = { database: Database; log: Log };

/** Sends what has changed to the subscribers it concerns, while there are any. */
export function createDelivery(
  deps: Deps,
  subscribers: ReadonlySet<Subscriber>,
  markets: {
    tail: ReturnType<typeof createMarketTail>;
    followersOf: (ticker: string) => Iterable<Subscriber>;
  },
) {
  const orders = createOrderTail(deps);
  const movements = createTransferTail(storedTransfers(deps.database.orm));
  const timers: NodeJS.Timeout[] = [];

  async function sendOrders(): Promise<void> {
    for (const item of await orders.next()) {
      for (const one of subscribers) {
        if (maySee(one.subscription.viewer, item)) one.sendOrder(item);
      }
    }
  }

  async function sendMarkets(): Promise<void> {
    for await (const { ticker, message } of markets.tail.next()) {
      for (const one of markets.followersOf(ticker)) one.send(message);
    }
  }

  async function sendMovements(): Promise<void> {
    const listening = [...subscribers].filter((one) => one.subscription.holders.size > 0);
    if (listening.length === 0) return movements.reset();
    const moved = await movements.next();
    for (const one of listening) {
      for (const address of moved) {
        if (one.subscription.holders.has(address)) one.sendAccount(address);
      }
    }
  }

  return {
    isRunning: () => timers.length > 0,
    start(): void {
      orders.reset();
      movements.reset();
      markets.tail.reset();
      timers.push(
        repeat(ORDER_POLL_MS, sendOrders, deps.log),
        repeat(MARKET_POLL_MS, sendMarkets, deps.log),
        repeat(MOVEMENT_POLL_MS, sendMovements, deps.log),
        repeat(SAVED_POLL_MS, () => sendSaved(deps, subscribers), deps.log),
        repeat(CREDENTIAL_POLL_MS, () => closeEnded(deps, subscribers), deps.log),
        repeat(HEARTBEAT_MS, async () => beat(subscribers), deps.log),
      );
    },
    stop(): void {
      for (const timer of timers.splice(0)) clearInterval(timer);
    },
    /** Sends the order events that the subscriber has missed. */
    async replay(subscriber: Subscriber): Promise<void> {
      const { viewer, holders, resumeAfter } = subscriber.subscription;
      try {
        // In this order no event is missed; one between the two comes from both, and is sent once.
        await orders.begin();
        if (holders.size > 0) await movements.begin();
        const missed = await readFeed(deps, resumeAfter, MAX_REPLAY + 1);
        const seen = missed.filter((item) => maySee(viewer, item)).slice(0, MAX_REPLAY);
        subscriber.endReplay(seen, missed.length <= MAX_REPLAY);
      } catch (err) {
        deps.log.warn({ err }, 'a stream could not be resumed');
        subscriber.close();
      }
    },
  };
}

async function sendSaved(deps: Deps, subscribers: ReadonlySet<Subscriber>): Promise<void> {
  const owners = [...subscribers].flatMap(({ subscription }) => subscription.viewer.owner ?? []);
  const versions = await listSavedVersions(deps.database.orm, [...new Set(owners)]);
  for (const one of subscribers) {
    one.sendSaved(versions.get(one.subscription.viewer.owner ?? '') ?? 0);
  }
}

/** Closes the streams whose session or key has ended. */
async function closeEnded(deps: Deps, subscribers: ReadonlySet<Subscriber>): Promise<void> {
  const held = [...subscribers].map(({ subscription }) => subscription);
  const [sessions, keys] = await Promise.all([
    findEndedSessions(deps, [...new Set(held.flatMap(({ sessionId }) => sessionId ?? []))]),
    findInactiveApiKeys(deps, [...new Set(held.map(({ viewer }) => viewer.apiKeyId))]),
  ]);
  for (const one of subscribers) {
    const { sessionId, viewer } = one.subscription;
    const hasEnded = sessionId !== undefined && sessions.has(sessionId);
    if (hasEnded || keys.includes(viewer.apiKeyId)) one.close();
  }
}

function beat(subscribers: ReadonlySet<Subscriber>): void {
  const oldest = performance.now() - MAX_AGE_MS;
  for (const one of subscribers) {
    if (one.openedAt < oldest) one.close();
    else one.beat();
  }
}

/** Repeats a step, without overlap, and logs its failures. */
function repeat(everyMs: number, step: () => Promise<unknown>, log: Log): NodeJS.Timeout {
  let running = false;
  const timer = setInterval(() => {
    if (running) return;
    running = true;
    step()
      .catch((err: unknown) => log.warn({ err }, 'streams could not be updated; retrying'))
      .finally(() => {
        running = false;
      });
  }, everyMs);
  timer.unref();
  return timer;
}
