import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type CrossbookClient, createClient } from '#lib/api/client.ts';
import { isApiProblem } from '#lib/api/problem.ts';
import type { SandboxDescription } from '#sandbox/stack/description.ts';
import { fetchToken, orderBody, type Trader } from '#sandbox/testing/trader.ts';

/** Where orders are sent, and what they are about. */
export type LoadedSandbox = Pick<SandboxDescription, 'baseUrl' | 'apiKey' | 'rpcUrl' | 'contracts'>;

/** An order that the service has accepted. */
export type Acknowledged = {
  id: string;
  clientId: string;
  ticker: string;
  trader: Trader;
  at: number;
};

/** Orders that arrive at a steady rate, whatever the service does. */
export type OrderLoad = {
  acknowledged: readonly Acknowledged[];
  /** Definite refusals, by their code. */
  refused: ReadonlyMap<string, number>;
  /** Failed tries of orders that were sent again, by their code. */
  retried: ReadonlyMap<string, number>;
  /** Sends no more, and resolves when every order was accepted or refused. */
  stop(): Promise<void>;
};

const RETRY_MS = 300;
/** As long as a load balancer would wait. */
const TIMEOUT_MS = 10_000;
/** Larger than any outage of a drill. */
const GIVE_UP_MS = 120_000;

/**
 * Sends orders to web servers in turn. An order without a definite response is sent again under the
 * same client id, to the next server, as docs/API.md asks of programs.
 */
export async function startOrderLoad(options: {
  sandbox: LoadedSandbox;
  /** The web servers that a load balancer would send requests to now. */
  webs: () => readonly string[];
  traders: readonly Trader[];
  tickers: readonly string[];
  perSecond: number;
}): Promise<OrderLoad> {
  const { sandbox, webs, traders, tickers, perSecond } = options;
  const senders = await Promise.all(traders.map((trader) => senderOf(sandbox, trader)));
  const acknowledged: Acknowledged[] = [];
  const refused = new Map<string, number>();
  const retried = new Map<string, number>();
  const open = new Set<Promise<void>>();
  const stopping = new AbortController();

  async function send(number: number): Promise<void> {
    const { trader, clientOf } = at(senders, number);
    const ticker = at(tickers, number);
    const clientId = randomUUID();
    const body = orderBody(sandbox, trader, {
      direction: 'BUY',
      side: 'yes',
      contracts: '0.1',
      quoteLimit: '0.099',
      ticker,
      clientId,
    });
    const deadline = Date.now() + GIVE_UP_MS;
    for (let attempt = number; ; attempt += 1) {
      try {
        const { intent } = await clientOf(at(webs(), attempt)).createOrder(body);
        acknowledged.push({ id: intent.id, clientId, ticker, trader, at: Date.now() });
        return;
      } catch (error) {
        if (!isApiProblem(error)) throw error;
        // A definite no; everything else may have taken effect.
        const isOver = error.status >= 400 && error.status < 500 && error.status !== 429;
        count(isOver ? refused : retried, error.code);
        if (isOver || Date.now() > deadline) return;
        // Spread, so that not all orders of an outage come back in one moment.
        const waitMs = (error.retryAfterSeconds ?? 0) * 1_000 || RETRY_MS;
        await delay(waitMs * (1 + Math.random()));
      }
    }
  }

  const startedAt = performance.now();
  const sending = (async () => {
    for (let number = 0; !stopping.signal.aborted; number += 1) {
      const dueAt = startedAt + (number * 1_000) / perSecond;
      await delay(Math.max(0, dueAt - performance.now()));
      const order = send(number).finally(() => open.delete(order));
      open.add(order);
    }
  })();
  return {
    acknowledged,
    refused,
    retried,
    async stop() {
      stopping.abort();
      await sending;
      await Promise.all(open);
    },
  };
}

async function senderOf(
  { apiKey, baseUrl: first }: LoadedSandbox,
  trader: Trader,
): Promise<{ trader: Trader; clientOf: (baseUrl: string) => CrossbookClient }> {
  const token = await fetchToken(createClient({ baseUrl: first, apiKey }), trader.wallet);
  const clients = new Map<string, CrossbookClient>();
  const clientOf = (baseUrl: string) => {
    const known = clients.get(baseUrl);
    if (known) return known;
    const made = createClient({ baseUrl, apiKey, token, timeoutMs: TIMEOUT_MS });
    clients.set(baseUrl, made);
    return made;
  };
  return { trader, clientOf };
}

function at<Item>(items: readonly Item[], number: number): Item {
  const item = items[number % items.length];
  if (item === undefined) throw new Error('the load needs traders, markets and web servers');
  return item;
}

function count(counts: Map<string, number>, code: string): void {
  counts.set(code, (counts.get(code) ?? 0) + 1);
}
