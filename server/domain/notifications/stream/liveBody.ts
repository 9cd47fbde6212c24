/** Where a body that is sent as it comes into being goes. */
export type LiveSink = {
  write(bytes: Uint8Array): void;
  /** Bytes that were written and have not left yet. */
  waitingBytes(): number;
  end(): void;
};

/** A body that is sent as it comes into being. */
export type LiveBody = {
  /** Called once, when the head is on its way. */
  attach(sink: LiveSink): void;
  /** The client went away, or wants no body. */
  detach(): void;
};

/** The same as a Web stream, which is what responses are made of. */
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
