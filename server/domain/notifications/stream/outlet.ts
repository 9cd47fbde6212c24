import type { StreamMessage } from './streamMessage.ts';

/** Where a subscriber's messages leave the process. */
export type Outlet = {
  send(message: StreamMessage): void;
  /** Keeps a quiet connection open. */
  beat(): void;
  /** Bytes that the client has not taken yet. */
  waitingBytes(): number;
  end(): void;
  /** Calls the listener once the client is gone. */
  onGone(listener: () => void): void;
};

const encoder = new TextEncoder();
/** Tells the client how soon to reconnect. */
const RETRY = encoder.encode('retry: 2000\n\n');
/** Keeps proxies from closing a quiet stream. */
const HEARTBEAT = encoder.encode(': still here\n\n');
const HIGH_WATER_BYTES = 64 * 1024;

/** An outlet that writes server-sent events to the body of a response. */
export function createEventStream(): { outlet: Outlet; stream: ReadableStream<Uint8Array> } {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let gone = (): void => undefined;
  const stream = new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started;
      },
      cancel: () => gone(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER_BYTES }),
  );
  controller?.enqueue(RETRY);
  const outlet: Outlet = {
    send: (message) => controller?.enqueue(message.asServerSent()),
    beat: () => controller?.enqueue(HEARTBEAT),
    waitingBytes: () => HIGH_WATER_BYTES - (controller?.desiredSize ?? 0),
    end: () => controller?.close(),
    onGone(listener) {
      gone = listener;
    },
  };
  return { outlet, stream };
}
