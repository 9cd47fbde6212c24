const encoder = new TextEncoder();

/** One message as server-sent events frame it; made once for all who are told. */
export function frame(event: string, data: unknown, id?: bigint): Uint8Array {
  return frameText(event, JSON.stringify(data), id);
}

/** The same for data that is JSON already. */
export function frameText(event: string, json: string, id?: bigint): Uint8Array {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return encoder.encode(`${idLine}event: ${event}\ndata: ${json}\n\n`);
}

/** Keeps proxies from closing a stream on which nothing happens. */
export const HEARTBEAT = encoder.encode(': still here\n\n');

/** Tells the client how soon to come back after it lost us. */
export function retryAfter(milliseconds: number): Uint8Array {
  return encoder.encode(`retry: ${milliseconds}\n\n`);
}
