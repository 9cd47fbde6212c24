import { readServerEvents, type ServerEvent } from '#lib/api/stream.ts';

export type LiveFeedOptions = {
  /** Opens the stream for these markets; throws when it cannot be opened. */
  open: (
    tickers: string[],
    lastEventId: string | undefined,
    signal: AbortSignal,
  ) => Promise<Response>;
  onEvent: (event: ServerEvent) => void;
  onStatus: (status: 'idle' | 'polling' | 'live') => void;
};

/** The updates that a part of the page subscribes to until it unsubscribes. */
export type LiveFeed = {
  follow: (tickers: readonly string[]) => () => void;
  /** Subscribes to the visitor's orders; the stream knows the account from its token. */
  followOrders: () => () => void;
  /** Reconnects with other credentials. */
  restart: () => void;
  /** Closes the connection while the page is hidden and reopens it afterwards. */
  pause: (isPaused: boolean) => void;
};

/** Views mount and unmount in groups; this opens the stream once for all of them. */
const SETTLE_MS = 150;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 15_000;
/** The server sends something at least every 15 s; silence means a dead connection. */
const SILENCE_MS = 40_000;
const MAX_TICKERS = 200;

/** One event stream for everything on the page; it reconnects automatically. */
export function createLiveFeed(options: LiveFeedOptions): LiveFeed {
  const counts = new Map<string, number>();
  let orderFollowers = 0;
  let isPaused = false;
  let lastEventId: string | undefined;
  let running: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isWanted = () => !isPaused && (counts.size > 0 || orderFollowers > 0);

  const schedule = (delayMs: number, retryMs = FIRST_RETRY_MS) => {
    clearTimeout(timer);
    timer = setTimeout(() => void run(retryMs), delayMs);
  };

  const run = async (retryMs: number) => {
    running?.abort();
    if (!isWanted()) {
      running = undefined;
      options.onStatus('idle');
      return;
    }
    const mine = new AbortController();
    running = mine;
    let received = false;
    try {
      received = await listen(mine);
    } catch {
      // Every failure leads to the retry below.
    }
    if (running !== mine) return;
    options.onStatus('polling');
    schedule(retryMs, received ? FIRST_RETRY_MS : Math.min(retryMs * 2, LAST_RETRY_MS));
  };

  /** Reads until the stream ends; returns whether there was one. */
  const listen = async (mine: AbortController): Promise<boolean> => {
    let silence: ReturnType<typeof setTimeout> | undefined;
    const waitForMore = () => {
      clearTimeout(silence);
      silence = setTimeout(() => mine.abort(), SILENCE_MS);
    };
    waitForMore();
    try {
      // Above the maximum, the latest subscriptions win: they are on the screen now.
      const tickers = [...counts.keys()].slice(-MAX_TICKERS);
      const response = await options.open(tickers, lastEventId, mine.signal);
      if (!response.ok || !response.body) return false;
      options.onStatus('live');
      for await (const event of readServerEvents(response.body, waitForMore)) {
        if (running !== mine) return true;
        if (event.id !== undefined) lastEventId = event.id;
        options.onEvent(event);
      }
      return true;
    } finally {
      clearTimeout(silence);
    }
  };

  return {
    follow(tickers) {
      const isNew = tickers.some((ticker) => !counts.has(ticker));
      for (const ticker of tickers) counts.set(ticker, (counts.get(ticker) ?? 0) + 1);
      if (isNew) schedule(SETTLE_MS);
      return () => {
        for (const ticker of tickers) {
          const left = (counts.get(ticker) ?? 1) - 1;
          if (left > 0) counts.set(ticker, left);
          else counts.delete(ticker);
        }
        if (!isWanted()) schedule(SETTLE_MS);
      };
    },
    followOrders() {
      orderFollowers += 1;
      if (!running) schedule(SETTLE_MS);
      return () => {
        orderFollowers -= 1;
        if (!isWanted()) schedule(SETTLE_MS);
      };
    },
    restart() {
      lastEventId = undefined;
      schedule(0);
    },
    pause(next) {
      if (next === isPaused) return;
      isPaused = next;
      schedule(0);
    },
  };
}
