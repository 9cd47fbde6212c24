import type { FeedItem } from '../../orders/read/eventFeed.ts';
import type { Viewer } from '../../orders/read/readOrders.ts';

/** What one open stream reports. */
export type Subscription = {
  viewer: Viewer;
  /** Markets whose prices are wanted. */
  tickers: ReadonlySet<string>;
  /** Addresses whose holdings are the viewer's. */
  holders: ReadonlySet<string>;
  /** The session it was opened with: the stream ends with it. */
  sessionId: string | undefined;
  /** The last order event the client received; otherwise the newest when the stream opens. */
  resumeAfter: bigint;
};

const encoder = new TextEncoder();
/** Tells the client how soon to reconnect. */
const RETRY = encoder.encode('retry: 2000\n\n');
/** Keeps proxies from closing a quiet stream. */
const HEARTBEAT = encoder.encode(': still here\n\n');

/** A server-sent event; the hub makes it once for all its subscribers. */
export function frame(event: string, json: string, id?: bigint): Uint8Array {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return encoder.encode(`${idLine}event: ${event}\ndata: ${json}\n\n`);
}

const HIGH_WATER_BYTES = 64 * 1024;
/** A slower client is disconnected; it resumes where it was. */
const MAX_WAITING_BYTES = 256 * 1024;

/** The sending end of one open stream. */
export class Subscriber {
  /** The names of the quotas that it counts for. */
  readonly shares: readonly string[];
  readonly subscription: Subscription;
  readonly openedAt = performance.now();
  readonly stream: ReadableStream<Uint8Array>;
  isClosed = false;
  private savedVersion = 0;
  private readonly onClose: (subscriber: Subscriber) => void;
  private controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** Order events that arrive while older ones are still being replayed. */
  private waiting: FeedItem[] | undefined = [];

  constructor(
    shares: readonly string[],
    subscription: Subscription,
    onClose: (subscriber: Subscriber) => void,
  ) {
    this.shares = shares;
    this.subscription = subscription;
    this.onClose = onClose;
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.controller = controller;
        },
        cancel: () => this.forget(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER_BYTES }),
    );
    this.send(RETRY);
  }

  /** Sends an order event, after the replay. */
  sendOrder(item: FeedItem): void {
    if (this.waiting) this.waiting.push(item);
    else {
      const { sequence, event, order } = item;
      this.send(frame('order', JSON.stringify({ event, order }), sequence));
    }
  }

  /** Reports a transfer from or to an address of the viewer. */
  sendAccount(address: string): void {
    this.send(frame('account', JSON.stringify({ address })));
  }

  /** Reports a change of what the owner saved; once per version. */
  sendSaved(version: number): void {
    if (version === this.savedVersion) return;
    this.savedVersion = version;
    this.send(frame('saved', JSON.stringify({ version })));
  }

  beat(): void {
    this.send(HEARTBEAT);
  }

  send(bytes: Uint8Array): void {
    if (this.isClosed) return;
    const waitingBytes = HIGH_WATER_BYTES - (this.controller?.desiredSize ?? 0);
    if (waitingBytes > MAX_WAITING_BYTES) this.close();
    else this.controller?.enqueue(bytes);
  }

  /** Sends missed events, then those that arrived meanwhile. */
  endReplay(missed: readonly FeedItem[], isComplete: boolean): void {
    const arrived = this.waiting ?? [];
    this.waiting = undefined;
    if (!isComplete) {
      const reason = 'too many events were missed; read the orders again';
      this.send(frame('reset', JSON.stringify({ reason })));
    }
    const items = new Map([...missed, ...arrived].map((item) => [item.sequence, item]));
    for (const item of items.values()) this.sendOrder(item);
  }

  close(): void {
    if (this.isClosed) return;
    this.forget();
    this.controller?.close();
  }

  private forget(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.onClose(this);
  }
}
