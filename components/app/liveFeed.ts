import type { QueryClient } from '@tanstack/react-query';
import { applyEvent } from '#lib/browser/live/applyEvent.ts';
import { createLiveFeed, type LiveFeed } from '#lib/browser/live/liveFeed.ts';
import { liveStatus } from '#lib/browser/live/liveStatus.ts';
import { freshToken, replaceToken } from '#lib/browser/session/freshToken.ts';
import { followSession } from '#lib/browser/session/session.ts';

/** Hidden pages close their stream: a browser allows only a few connections per host. */
const HIDDEN_MS = 5_000;

let feed: LiveFeed | undefined;

export function pageFeed(apiKey: string, cache: QueryClient): LiveFeed {
  feed ??= connect(apiKey, cache);
  return feed;
}

function connect(apiKey: string, cache: QueryClient): LiveFeed {
  const connected = createLiveFeed({
    open: async (tickers, lastEventId, signal) => {
      const token = await freshToken();
      const query = tickers.length > 0 ? `?tickers=${encodeURIComponent(tickers.join(','))}` : '';
      const response = await fetch(`/v1/stream${query}`, {
        headers: {
          'x-api-key': apiKey,
          accept: 'text/event-stream',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
        },
        cache: 'no-store',
        signal,
      });
      // If the session was ended elsewhere, the stream reopens without it.
      if (response.status === 401 && token !== undefined) await replaceToken(token);
      return response;
    },
    onEvent: (event) => applyEvent(cache, event),
    onStatus: (status) => liveStatus.set(status),
  });
  followSession(() => connected.restart());
  let hiding: ReturnType<typeof setTimeout> | undefined;
  let isHidden = false;
  // Pauses while offline; reconnects at once when online.
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
  return connected;
}
