import { SpanKind } from '@opentelemetry/api';
import {
  countExchangeRequest,
  countFeedMessage,
  observeExchangeCall,
} from '../../platform/metrics/calls.ts';
import { inChildSpan } from '../../platform/tracing/spans.ts';
import type { ExchangeCatalogue } from '../catalogue.ts';
import { ExchangeResponseError, ExchangeUnavailableError } from '../errors.ts';
import type { Exchange } from '../port.ts';
import { type SendMessage, sendWhenConnected } from './sendWhenConnected.ts';

/** Wraps the exchange so that each operation is measured and traced. */
export function observedExchange(exchange: Exchange): Exchange {
  const { catalogue, ...rest } = exchange;
  return {
    ...observeAll(rest, ''),
    catalogue: {
      ...observeAll(catalogue, 'catalogue.'),
      watch: observedWatch((handlers) => catalogue.watch(handlers)),
    },
  };
}

/** Wraps every function of an object; other values stay as they are. */
function observeAll<Part extends object>(part: Part, prefix: string): Part {
  const entries = Object.entries(part).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'function' ? observed(`${prefix}${name}`, value as AnyCall) : value,
  ]);
  return Object.fromEntries(entries) as Part;
}

type AnyCall = (...parameters: never[]) => unknown;

function observed(operation: string, call: AnyCall): AnyCall {
  return (...parameters) => {
    const result = call(...parameters);
    if (!(result instanceof Promise)) return result;
    const startedAt = performance.now();
    const seconds = () => (performance.now() - startedAt) / 1000;
    const options = { kind: SpanKind.CLIENT, attributes: { 'exchange.operation': operation } };
    return inChildSpan(`exchange.${operation}`, options, async (span) => {
      try {
        const value: unknown = await result;
        const outcome = outcomeOf(value);
        observeExchangeCall(operation, outcome, seconds());
        span?.setAttribute('exchange.outcome', outcome);
        return value;
      } catch (error) {
        observeExchangeCall(operation, failureOf(error), seconds());
        throw error;
      }
    });
  };
}

/** Results that are an outcome of their own (`unknown`, `our_fault`, …) are reported as that. */
function outcomeOf(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'kind' in value) {
    if (typeof value.kind === 'string') return value.kind;
  }
  return 'ok';
}

function failureOf(error: unknown): string {
  if (error instanceof ExchangeResponseError) return 'refused';
  return error instanceof ExchangeUnavailableError ? 'unavailable' : 'error';
}

function observedWatch(watch: ExchangeCatalogue['watch']): ExchangeCatalogue['watch'] {
  return ({ onChange, onGap, ...rest }) =>
    watch({
      ...rest,
      onChange: (change) => {
        countFeedMessage();
        onChange(change);
      },
      onGap: (why) => {
        if (why === 'connected') countFeedMessage();
        onGap(why);
      },
    });
}

/** `fetch` that counts each request to the exchange by its outcome. */
export const countedFetch: typeof fetch = async (input, init) =>
  await counted(init?.method ?? 'GET', init?.signal, () => fetch(input, init));

/** The same for messages that place or change orders; unsent ones are not counted. */
export const countedSend: SendMessage = async (url, message) =>
  await counted(message.method, message.signal, () => sendWhenConnected(url, message));

async function counted<Reply extends { status: number } | undefined>(
  method: string,
  signal: AbortSignal | null | undefined,
  ask: () => Promise<Reply>,
): Promise<Reply> {
  try {
    const response = await ask();
    const status = response?.status;
    if (status === 429) countExchangeRequest(method, '429');
    else if (status !== undefined) countExchangeRequest(method, `${Math.floor(status / 100)}xx`);
    return response;
  } catch (error) {
    countExchangeRequest(method, signal?.aborted ? 'timeout' : 'network');
    throw error;
  }
}
