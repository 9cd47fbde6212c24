import type { FeedItem } from '../orders/eventFeed.ts';
import type { Viewer } from '../orders/readOrders.ts';

/** What one open stream wants to hear of. */
export type Subscription = {
  viewer: Viewer;
  /** Markets whose prices are wanted. */
  tickers: ReadonlySet<string>;
  /** Addresses whose holdings are the viewer's. */
  holders: ReadonlySet<string>;
  /** The sign-in it was opened with: the stream ends with it. */
  sessionId: string | undefined;
  /** The last order event the client has seen, or the newest there is when it opens. */
  resumeAfter: bigint;
};

const RETRY_MS = 2_000;

/** A client that reads so slowly that this much waits is let go; it resumes where it was. */
const MAX_WAITING_BYTES = 256 * 1024;

const encoder = new TextEncoder();

/** One line of `data`, as server-sent events frame it. */
function frame(event: string, data: unknown, id?: bigint): Uint8Array {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return encoder.encode(`${idLine}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** The sending end of one open stream. Nothing is sent after it closed. */
export class Subscriber {
  readonly subscription: Subscription;
  readonly body: ReadableStream<Uint8Array>;
  private controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  private readonly onClose: () => void;
  /** Order events that arrive while older ones are still being replayed. */
  private waiting: FeedItem[] | undefined = [];

  constructor(subscription: Subscription, onClose: () => void) {
    this.subscription = subscription;
    this.onClose = onClose;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.controller = controller;
          controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\n\n`));
        },
        cancel: () => this.forget(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MAX_WAITING_BYTES }),
    );
  }

  get closed(): boolean {
    return this.controller === undefined;
  }

  sendOrder(item: FeedItem): void {
    if (this.waiting) this.waiting.push(item);
    else this.write(frame('order', { event: item.event, order: item.order }, item.sequence));
  }

  sendMarket(market: unknown): void {
    this.write(frame('market', market));
  }

  /** Tells that something came to, or left, an address of the viewer's. */
  sendAccount(address: string): void {
    this.write(frame('account', { address }));
  }

  /** Keeps proxies from closing a stream on which nothing happens. */
  beat(): void {
    this.write(encoder.encode(': still here\n\n'));
  }

  /** Sends what was missed, then what came meanwhile. `complete` is false if there was too much. */
  endReplay(missed: readonly FeedItem[], complete: boolean): void {
    const arrived = this.waiting ?? [];
    this.waiting = undefined;
    if (!complete)
      this.write(frame('reset', { reason: 'too much was missed; read the orders anew' }));
    const sent = new Set<bigint>();
    for (const item of [...missed, ...arrived]) {
      if (sent.has(item.sequence)) continue;
      sent.add(item.sequence);
      this.sendOrder(item);
    }
  }

  close(): void {
    const { controller } = this;
    this.forget();
    controller?.close();
  }

  private write(bytes: Uint8Array): void {
    if (!this.controller) return;
    if ((this.controller.desiredSize ?? 0) <= 0) this.close();
    else this.controller.enqueue(bytes);
  }

  private forget(): void {
    if (!this.controller) return;
    this.controller = undefined;
    this.onClose();
  }
}
