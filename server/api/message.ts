import type { LiveBody } from '../domain/notifications/stream/liveBody.ts';

/** Requests and answers as the pipeline sees them, whatever server carried them. */

export type ApiRequest = {
  method: string;
  /** Path with its percent-encoding, without the query. */
  path: string;
  /** The query without its question mark; '' when there is none. */
  search: string;
  /** Value of a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Address of the client, for limits and for keys that are bound to networks. */
  ip: string;
  /** Address of the connection itself: the client's, or that of a proxy. */
  peer?: string | undefined;
  /** The body; `too_large` as soon as it exceeds the limit. */
  readBody(limitBytes: number): Promise<Uint8Array | 'too_large'>;
  /** Fires when the peer goes away. */
  signal: AbortSignal;
};

/** A text, its bytes, or something that is sent while it comes into being. */
export type ResponseBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | LiveBody;

export type ApiResponse = {
  status: number;
  headers: Record<string, string>;
  body: ResponseBody | null;
};
