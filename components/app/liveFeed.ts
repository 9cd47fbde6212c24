import type { QueryClient } from '@tanstack/react-query';
import { applyEvent } from '#lib/browser/live/applyEvent.ts';
import { createLiveFeed, type LiveFeed } from '#lib/browser/live/liveFeed.ts';
import { liveStatus } from '#lib/browser/live/liveStatus.ts';
import { freshToken, replaceToken } from '#lib/browser/session/freshToken.ts';
import { followSession } from '#lib/browser/session/session.ts';
import { whileVisible } from './whileVisible.ts';

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
        // What the page shows first comes before what changes later.
        priority: 'low',
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
  whileVisible((isVisible) => connected.pause(!isVisible));
  return connected;
}
