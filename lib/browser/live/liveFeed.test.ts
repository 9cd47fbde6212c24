import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLiveFeed } from './liveFeed.ts';

type Opened = {
  tickers: string[];
  lastEventId: string | undefined;
  send: (text: string) => void;
  end: () => void;
};

function setUp() {
  const opened: Opened[] = [];
  const statuses: string[] = [];
  const events: string[] = [];
  let isDown = false;
  const feed = createLiveFeed({
    open: async (tickers, lastEventId, signal) => {
      if (isDown) throw new Error('down');
      let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
      const body = new ReadableStream<Uint8Array>({
        start(given) {
          controller = given;
        },
      });
      signal.addEventListener('abort', () => controller?.error(new Error('aborted')));
      opened.push({
        tickers,
        lastEventId,
        send: (text) => controller?.enqueue(new TextEncoder().encode(text)),
        end: () => controller?.close(),
      });
      return new Response(body);
    },
    onEvent: (event) => events.push(event.data),
    onStatus: (status) => statuses.push(status),
  });
  return { feed, opened, statuses, events, setDown: (down: boolean) => (isDown = down) };
}

describe('the live feed', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('opens one stream for all subscribers', async () => {
    const { feed, opened, statuses, events } = setUp();
    feed.follow(['A']);
    feed.follow(['A', 'B']);
    await vi.advanceTimersByTimeAsync(200);
    expect(opened.map((one) => one.tickers)).toEqual([['A', 'B']]);
    expect(statuses).toEqual(['live']);
    opened[0]?.send('data: x\n\n');
    await vi.advanceTimersByTimeAsync(1);
    expect(events).toEqual(['x']);
  });

  it('given failures, resumes with growing delays', async () => {
    const { feed, opened, statuses, setDown } = setUp();
    feed.followOrders();
    await vi.advanceTimersByTimeAsync(200);
    opened[0]?.send('id: 12\ndata: x\n\n');
    await vi.advanceTimersByTimeAsync(1);
    setDown(true);
    opened[0]?.end();
    await vi.advanceTimersByTimeAsync(6_000);
    expect(statuses.at(-1)).toBe('polling');
    setDown(false);
    await vi.advanceTimersByTimeAsync(16_000);
    expect(opened[1]?.lastEventId).toBe('12');
    expect(statuses.at(-1)).toBe('live');
  });

  it('treats silence as a dead connection', async () => {
    const { feed, opened } = setUp();
    feed.follow(['A']);
    await vi.advanceTimersByTimeAsync(200);
    await vi.advanceTimersByTimeAsync(30_000);
    opened[0]?.send(': still here\n\n');
    await vi.advanceTimersByTimeAsync(30_000);
    expect(opened).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(12_000);
    expect(opened).toHaveLength(2);
  });

  it('closes the stream without subscribers or while the page is hidden', async () => {
    const { feed, opened, statuses } = setUp();
    const leave = feed.follow(['A']);
    await vi.advanceTimersByTimeAsync(200);
    feed.pause(true);
    await vi.advanceTimersByTimeAsync(200);
    expect(statuses.at(-1)).toBe('idle');
    feed.pause(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(opened).toHaveLength(2);
    leave();
    await vi.advanceTimersByTimeAsync(200);
    expect(statuses.at(-1)).toBe('idle');
  });
});
