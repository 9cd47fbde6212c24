import type { FeedItem } from '../../orders/read/eventFeed.ts';
import type { Viewer } from '../../orders/read/readOrders.ts';
import type { Outlet } from './outlet.ts';
import { StreamMessage } from './streamMessage.ts';

/** What one open stream reports, besides the markets that it follows. */
export type Subscription = {
  viewer: Viewer;
  /** Addresses whose holdings are the viewer's. */
  holders: ReadonlySet<string>;
  /** The session it was opened with: the stream ends with it. */
  sessionId: string | undefined;
  /** The last order event the client received; otherwise the newest when the stream opens. */
  resumeAfter: bigint;
};

/** A slower client is disconnected; it resumes where it was. */
const MAX_WAITING_BYTES = 256 * 1024;

/** The sending end of one open stream. */
export class Subscriber {
  readonly subscription: Subscription;
  readonly openedAt = performance.now();
  isClosed = false;
  private savedVersion = 0;
  private readonly outlet: Outlet;
  private readonly onClose: () => void;
  /** Order events that arrive while older ones are still being replayed. */
  private waiting: FeedItem[] | undefined = [];

  constructor(subscription: Subscription, outlet: Outlet, onClose: () => void) {
    this.subscription = subscription;
    this.outlet = outlet;
    this.onClose = onClose;
    outlet.onGone(() => this.forget());
  }

  /** Sends an order event, after the replay. */
  sendOrder(item: FeedItem): void {
    if (this.waiting) this.waiting.push(item);
    else {
      const { sequence, event, order } = item;
      this.send(new StreamMessage('order', { event, order }, sequence));
    }
  }

  /** Reports a transfer from or to an address of the viewer. */
  sendAccount(address: string): void {
    this.send(new StreamMessage('account', { address }));
  }

  /** Reports a change of what the owner saved; once per version. */
  sendSaved(version: number): void {
    if (version === this.savedVersion) return;
    this.savedVersion = version;
    this.send(new StreamMessage('saved', { version }));
  }

  beat(): void {
    if (this.hasRoom()) this.outlet.beat();
  }

  send(message: StreamMessage): void {
    if (this.hasRoom()) this.outlet.send(message);
  }

  waitingBytes(): number {
    return this.outlet.waitingBytes();
  }

  /** Sends missed events, then those that arrived meanwhile. */
  endReplay(missed: readonly FeedItem[], isComplete: boolean): void {
    const arrived = this.waiting ?? [];
    this.waiting = undefined;
    if (!isComplete) {
      const reason = 'too many events were missed; read the orders again';
      this.send(new StreamMessage('reset', { reason }));
    }
    const items = new Map([...missed, ...arrived].map((item) => [item.sequence, item]));
    for (const item of items.values()) this.sendOrder(item);
  }

  close(): void {
    if (this.isClosed) return;
    this.forget();
    this.outlet.end();
  }

  /** Closes a stream whose client takes too little. */
  private hasRoom(): boolean {
    if (this.isClosed) return false;
    if (this.outlet.waitingBytes() <= MAX_WAITING_BYTES) return true;
    this.close();
    return false;
  }

  private forget(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.onClose();
  }
}
