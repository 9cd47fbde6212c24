import type { QueryClient } from '@tanstack/react-query';
import type { StreamChannel } from '#lib/api/schemas/stream.ts';
import { applyEvent } from '#lib/browser/live/applyEvent.ts';
import { applyMarketData, releaseBooks } from '#lib/browser/live/applyMarketData.ts';
import { createLiveFeed, type LiveFeed } from '#lib/browser/live/liveFeed.ts';
import { liveStatus } from '#lib/browser/live/liveStatus.ts';
import { marketKeys } from '#lib/browser/queries/marketKeys.ts';
import { freshToken, replaceToken } from '#lib/browser/session/freshToken.ts';
import { followSession } from '#lib/browser/session/session.ts';

/** Hidden pages close their stream: a browser allows only a few connections per host. */
const HIDDEN_MS = 5_000;

let feed: LiveFeed | undefined;
let bookFeed: LiveFeed | undefined;

/** Markets as they change, and the visitor's orders. */
export function pageFeed(apiKey: string, cache: QueryClient): LiveFeed {
  feed ??= connect(apiKey, cache);
  return feed;
}

/**
 * Follows book, trades and prices of a market on screen. Apart from the other stream, which follows
 * whole lists of markets, and without the session: what it reports is public. Returns the function
 * that ends it.
 */
export function followBook(apiKey: string, cache: QueryClient, ticker: string): () => void {
  bookFeed ??= connectBooks(apiKey, cache);
  const stop = bookFeed.follow([ticker]);
  return () => {
    stop();
    // Without its events the book in the cache would look current.
    releaseBooks(cache, marketKeys.orderBook(ticker));
  };
}

function connect(apiKey: string, cache: QueryClient): LiveFeed {
  const connected = createLiveFeed({
    open: async (tickers, lastEventId, signal) => {
      const token = await freshToken();
      const response = await openStream({ apiKey, tickers, lastEventId, token, signal });
      // If the session was ended elsewhere, the stream reopens without it.
      if (response.status === 401 && token !== undefined) await replaceToken(token);
      return response;
    },
    onEvent: (event) => applyEvent(cache, event),
    onStatus: (status) => liveStatus.set(status),
  });
  followSession(() => connected.restart());
  pauseWhileHidden(connected);
  return connected;
}

const BOOK_CHANNELS = ['book', 'trade', 'price'] as const;

function connectBooks(apiKey: string, cache: QueryClient): LiveFeed {
  const connected = createLiveFeed({
    open: (tickers, lastEventId, signal) =>
      openStream({ apiKey, tickers, channels: BOOK_CHANNELS, lastEventId, signal }),
    onEvent: (event) => applyMarketData(cache, event),
    onStatus: (status) => {
      if (status !== 'live') releaseBooks(cache);
    },
  });
  pauseWhileHidden(connected);
  return connected;
}

type StreamRequest = {
  apiKey: string;
  tickers: readonly string[];
  channels?: readonly StreamChannel[];
  lastEventId: string | undefined;
  token?: string | undefined;
  signal: AbortSignal;
};

function openStream(request: StreamRequest): Promise<Response> {
  const { apiKey, tickers, channels, lastEventId, token, signal } = request;
  const query = new URLSearchParams();
  if (tickers.length > 0) query.set('tickers', tickers.join(','));
  if (channels) query.set('channels', channels.join(','));
  return fetch(query.size > 0 ? `/v1/stream?${query}` : '/v1/stream', {
    headers: {
      'x-api-key': apiKey,
      accept: 'text/event-stream',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
    cache: 'no-store',
    signal,
  });
}

/** Also pauses while offline; reconnects at once when online. */
function pauseWhileHidden(connected: LiveFeed): void {
  let hiding: ReturnType<typeof setTimeout> | undefined;
  let isHidden = false;
  const look = () => connected.pause(isHidden || !navigator.onLine);
  const hide = (next: boolean) => {
    isHidden = next;
    look();
  };
  document.addEventListener('visibilitychange', () => {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(() => hide(true), HIDDEN_MS);
    else hide(false);
  });
  window.addEventListener('online', look);
  window.addEventListener('offline', look);
}
