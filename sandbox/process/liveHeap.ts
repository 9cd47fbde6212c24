import { readFile } from 'node:fs/promises';

/** `NODE_OPTIONS` of a process whose heap can be read; it writes the inspector's address to its log. */
export const INSPECTABLE = '--inspect=127.0.0.1:0';

type Usage = { usedSize: number; backingStorageSize: number };

/**
 * What a Node process cannot free: its JavaScript objects and buffers after a full collection, in
 * bytes, by its inspector (https://chromedevtools.github.io/devtools-protocol/v8/HeapProfiler).
 */
export async function liveHeapBytes(logFile: string): Promise<number> {
  const [, address = ''] =
    /Debugger listening on (ws:\S+)/.exec(await readFile(logFile, 'utf8')) ?? [];
  const inspector = new WebSocket(address);
  try {
    await new Promise((resolve, reject) => {
      inspector.addEventListener('open', resolve, { once: true });
      inspector.addEventListener('error', reject, { once: true });
    });
    await call(inspector, 1, 'HeapProfiler.collectGarbage');
    const { usedSize, backingStorageSize } = await call<Usage>(
      inspector,
      2,
      'Runtime.getHeapUsage',
    );
    return usedSize + backingStorageSize;
  } finally {
    inspector.close();
  }
}

/** Responses come in the order of the calls. */
function call<Result>(inspector: WebSocket, id: number, method: string): Promise<Result> {
  return new Promise((resolve) => {
    const receive = ({ data }: MessageEvent<string>) =>
      resolve((JSON.parse(data) as { result: Result }).result);
    inspector.addEventListener('message', receive, { once: true });
    inspector.send(JSON.stringify({ id, method }));
  });
}
