import { pause } from '../pause.ts';
import type { StreamChannel, StreamEvent } from './schemas/stream.ts';
import { requestResponse, type TransportOptions } from './transport.ts';

export type StreamOptions = {
  /** Markets to report on; orders are always included. */
  tickers?: readonly string[];
  /** What to report of them; by default their `market` events. */
  channels?: readonly StreamChannel[];
  /** The event id to resume from; by default the stream starts now. */
  lastEventId?: string;
  /** Ends the stream. */
  signal?: AbortSignal;
};

const FIRST_WAIT_MS = 1_000;
const LAST_WAIT_MS = 30_000;
/** The service sends something at least every 15 seconds. */
const SILENCE_MS = 45_000;

const NAMES = new Set<string>([
  'order',
  'market',
  'book',
  'trade',
  'price',
  'account',
  'saved',
  'reset',
] satisfies StreamEvent['type'][]);

/**
 * Updates as they happen, until the signal aborts. Reopens a connection that breaks or falls silent
 * and resumes from the last event, so that no order event is lost.
 *
 * @throws {ApiProblem} when the service rejects the stream permanently, for example for a wrong key
 */
export async function* streamEvents(
  options: TransportOptions,
  { lastEventId, signal, ...followed }: StreamOptions = {},
): AsyncGenerator<StreamEvent, void, void> {
  let resumeAt = lastEventId;
  let waitMs = FIRST_WAIT_MS;
  while (signal?.aborted !== true) {
    const silence = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const waitForMore = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
    };
    waitForMore();
    try {
      const body = await open(options, followed, resumeAt, [silence.signal, signal]);
      for await (const event of readServerEvents(body, waitForMore)) {
        waitMs = FIRST_WAIT_MS;
        resumeAt = event.id ?? resumeAt;
        if (NAMES.has(event.name)) yield typed(event);
      }
    } catch (error) {
      if (isFinal(error)) throw error;
    } finally {
      clearTimeout(timer);
    }
    await pause(waitMs, signal);
    waitMs = Math.min(waitMs * 2, LAST_WAIT_MS);
  }
}

async function open(
  options: TransportOptions,
  { tickers = [], channels = [] }: Pick<StreamOptions, 'tickers' | 'channels'>,
  lastEventId: string | undefined,
  signals: readonly (AbortSignal | undefined)[],
): Promise<ReadableStream<Uint8Array>> {
  const response = await requestResponse(options, {
    method: 'GET',
    path: '/v1/stream',
    query: {
      tickers: tickers.length === 0 ? undefined : tickers.join(','),
      channels: channels.length === 0 ? undefined : channels.join(','),
    },
    headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
    signal: AbortSignal.any(signals.filter((one) => one !== undefined)),
  });
  if (!response.body) throw new Error('the stream has no body');
  return response.body;
}

function typed({ name, id, data }: ServerEvent): StreamEvent {
  return { type: name, id, data: JSON.parse(data) as unknown } as StreamEvent;
}

/** A rejection that a retry would only repeat. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof Error) || !('status' in error)) return false;
  const { status } = error;
  return typeof status === 'number' && status >= 400 && status < 500 && status !== 429;
}

/** One event of a `text/event-stream`. */
export type ServerEvent = { name: string; data: string; id: string | undefined };

/**
 * Reads server-sent events from a body, framed as in the HTML standard. `EventSource` cannot send
 * the headers that our interface requires.
 */
export async function* readServerEvents(
  body: ReadableStream<Uint8Array>,
  onChunk?: () => void,
): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunksOf(body)) {
    onChunk?.();
    rest += decoder.decode(chunk, { stream: true }).replaceAll('\r\n', '\n');
    let end = rest.indexOf('\n\n');
    while (end >= 0) {
      const event = parseEvent(rest.slice(0, end));
      rest = rest.slice(end + 2);
      if (event) yield event;
      end = rest.indexOf('\n\n');
    }
  }
}

/** Some browsers cannot iterate a stream. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseEvent(block: string): ServerEvent | undefined {
  let name = 'message';
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon === 0) continue;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') name = value;
    else if (field === 'id') id = value;
    else if (field === 'data') data.push(value);
  }
  return data.length === 0 ? undefined : { name, data: data.join('\n'), id };
}
