import type { LiveBody, LiveSink } from '#server/domain/notifications/stream/liveBody.ts';
import type { FeedItem } from '../../orders/read/eventFeed.ts';
import type { Viewer } from '../../orders/read/readOrders.ts';
import { frame, HEARTBEAT, retryAfter } from './frame.ts';

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

const RETRY = retryAfter(2_000);

/** A client that reads so slowly that this much waits is let go; it resumes where it was. */
const MAX_WAITING_BYTES = 256 * 1024;

/** The sending end of one open stream. Nothing is sent after it closed. */
export class Subscriber implements LiveBody {
  /** Those it counts for. */
  readonly shares: readonly string[];
  readonly subscription: Subscription;
  readonly openedAt = performance.now();
  private readonly onClose: (subscriber: Subscriber) => void;
  private sink: LiveSink | undefined;
  /** What there was to send before the head was on its way. */
  private unsent: Uint8Array[] | undefined = [RETRY];
  /** Order events that arrive while older ones are still being replayed. */
  private waiting: FeedItem[] | undefined = [];
  private isClosed = false;

  constructor(
    shares: readonly string[],
    subscription: Subscription,
    onClose: (subscriber: Subscriber) => void,
  ) {
    this.shares = shares;
    this.subscription = subscription;
    this.onClose = onClose;
  }

  get closed(): boolean {
    return this.isClosed;
  }

  attach(sink: LiveSink): void {
    this.sink = sink;
    for (const bytes of this.unsent ?? []) sink.write(bytes);
    this.unsent = undefined;
    if (this.isClosed) sink.end();
  }

  detach(): void {
    this.sink = undefined;
    this.unsent = undefined;
    this.forget();
  }

  sendOrder(item: FeedItem): void {
    if (this.waiting) this.waiting.push(item);
    else this.send(frame('order', { event: item.event, order: item.order }, item.sequence));
  }

  /** Tells that something came to, or left, an address of the viewer's. */
  sendAccount(address: string): void {
    this.send(frame('account', { address }));
  }

  beat(): void {
    this.send(HEARTBEAT);
  }

  /** Sends a message that is the same for everybody who gets it. */
  send(bytes: Uint8Array): void {
    if (this.isClosed) return;
    if (this.waitingBytes() > MAX_WAITING_BYTES) this.close();
    else if (this.sink) this.sink.write(bytes);
    else this.unsent?.push(bytes);
  }

  /** Sends what was missed, then what came meanwhile. `complete` is false if there was too much. */
  endReplay(missed: readonly FeedItem[], complete: boolean): void {
    const arrived = this.waiting ?? [];
    this.waiting = undefined;
    if (!complete)
      this.send(frame('reset', { reason: 'too many events were missed; read the orders again' }));
    const sent = new Set<bigint>();
    for (const item of [...missed, ...arrived]) {
      if (sent.has(item.sequence)) continue;
      sent.add(item.sequence);
      this.sendOrder(item);
    }
  }

  close(): void {
    if (this.isClosed) return;
    this.forget();
    this.sink?.end();
    this.sink = undefined;
  }

  private waitingBytes(): number {
    if (this.sink) return this.sink.waitingBytes();
    return (this.unsent ?? []).reduce((sum, bytes) => sum + bytes.length, 0);
  }

  private forget(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.onClose(this);
  }
}
