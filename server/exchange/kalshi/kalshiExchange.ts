import type { ExchangeTiming } from '../../platform/config/exchange.ts';
import type { Log } from '../../platform/log.ts';
import type { Exchange } from '../port.ts';
import { createCatalogueReads } from './catalogueReads.ts';
import { createFeed } from './feed.ts';
import { createHttpClient } from './httpClient.ts';
import { createLiveMarkets } from './liveMarkets.ts';
import { createMarketData } from './marketData.ts';
import { createPolledMarkets } from './polledMarkets.ts';
import { createRateLimits, followRateLimits } from './rateLimits.ts';
import { type SendMessage, sendWhenConnected } from './sendWhenConnected.ts';
import { createShards } from './shards.ts';
import { createSigner, type Signer } from './signer.ts';
import { createTrading } from './trading.ts';

export type KalshiExchangeOptions = {
  /** …/trade-api/v2 */
  url: string;
  /** …/trade-api/ws/v2; defaults to one derived from `url`. */
  wsUrl?: string | undefined;
  /** Our key (RSA or Ed25519, PEM) or a signer; without either only public data is readable. */
  credentials: { keyId: string; privateKeyPem: string } | { signer: Signer } | undefined;
  /** Defaults to the values that the exchange documents. */
  timing?: ExchangeTiming;
  log: Log;
  fetch?: typeof fetch;
  sendMessage?: SendMessage;
  timeouts?: { readMs?: number; writeMs?: number };
};

const DOCUMENTED_TIMING: ExchangeTiming = { toleranceMs: 30_000, absenceMs: 45_000 };

/**
 * The exchange over Kalshi's Trade API v2. Does not use the official SDK, which signs with RSA
 * only, turns unknown shapes into untyped errors, and cannot distinguish an order without a
 * response from a rejected one.
 */
export function createKalshiExchange(options: KalshiExchangeOptions): Exchange {
  const signer = signerFrom(options.credentials);
  const limits = createRateLimits();
  let renewLimits: ReturnType<typeof followRateLimits> | undefined;
  const http = createHttpClient({
    url: options.url,
    signer,
    limits,
    onResponse: (response) => renewLimits?.(response),
    fetch: options.fetch ?? fetch,
    sendMessage: options.sendMessage ?? sendWhenConnected,
    log: options.log,
    ...(options.timeouts ? { timeouts: options.timeouts } : {}),
  });
  if (options.credentials) renewLimits = followRateLimits(http, limits, options.log);
  const wsUrl = options.wsUrl ?? socketUrlOf(options.url);
  const socket = { wsUrl, signer, log: options.log };
  const timing = options.timing ?? DOCUMENTED_TIMING;
  const marketData = createMarketData(http);
  const catalogue = createCatalogueReads(http, options.log, new URL(options.url).origin);
  return {
    name: 'kalshi',
    ...createTrading({ http, socket, timing }, options.log),
    ...createShards(http, timing),
    ...marketData,
    followMarket: options.credentials
      ? createLiveMarkets({ socket, log: options.log, getOrderBook: marketData.getOrderBook })
      : createPolledMarkets({
          getOrderBook: marketData.getOrderBook,
          listTrades: catalogue.listTrades,
        }),
    catalogue: {
      ...catalogue,
      watch: createFeed(socket),
    },
  };
}

function signerFrom(credentials: KalshiExchangeOptions['credentials']): Signer {
  if (!credentials)
    return () => Promise.reject(new Error('this process has no key of the exchange'));
  if ('signer' in credentials) return credentials.signer;
  return createSigner(credentials.keyId, credentials.privateKeyPem);
}

function socketUrlOf(url: string): string {
  const parsed = new URL(url);
  parsed.protocol = parsed.protocol === 'https:' ? 'wss:' : 'ws:';
  // Production serves sockets from a separate host.
  parsed.hostname = parsed.hostname.replace(/^external-api\./, 'external-api-ws.');
  parsed.pathname = parsed.pathname.replace(/\/trade-api\/v2\/?$/, '/trade-api/ws/v2');
  return parsed.toString();
}
