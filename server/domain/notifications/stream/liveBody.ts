/** Where a body that is sent as it comes into being goes. */
export type LiveSink = {
  write(bytes: Uint8Array): void;
  /** Bytes that were written and have not left yet. */
  waitingBytes(): number;
  end(): void;
};

/**
 * A body that is sent as it comes into being, without a stream between: a thousand open ones cost
 * little more than their sockets.
 */
export type LiveBody = {
  /** Called once, when the head is on its way. */
  attach(sink: LiveSink): void;
  /** The client went away, or wants no body. */
  detach(): void;
};

export function isLiveBody(body: unknown): body is LiveBody {
  return typeof body === 'object' && body !== null && 'attach' in body;
}

/** The same as a Web stream, for servers that know nothing else. */
export function webStreamOf(body: LiveBody): ReadableStream<Uint8Array> {
  const highWaterMark = 64 * 1024;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        body.attach({
          write: (bytes) => controller.enqueue(bytes),
          waitingBytes: () => highWaterMark - (controller.desiredSize ?? 0),
          end: () => controller.close(),
        });
      },
      cancel: () => body.detach(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark }),
  );
}
