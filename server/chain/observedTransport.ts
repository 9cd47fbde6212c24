import { SpanKind } from '@opentelemetry/api';
import {
  HttpRequestError,
  LimitExceededRpcError,
  RpcRequestError,
  TimeoutError,
  type Transport,
} from 'viem';
import { observeChainRequest } from '../platform/metrics/calls.ts';
import { inChildSpan } from '../platform/tracing/spans.ts';

/** Wraps a transport so that each request is measured and traced. */
export function observedTransport<Inner extends Transport>(transport: Inner): Inner {
  const observed = (parameters: Parameters<Transport>[0]) => {
    const opened = transport(parameters);
    const request = (async (body: { method: string }, options: unknown) => {
      const { method } = body;
      const startedAt = performance.now();
      const seconds = () => (performance.now() - startedAt) / 1000;
      const spanOptions = { kind: SpanKind.CLIENT, attributes: { 'rpc.method': method } };
      return await inChildSpan(`chain.${method}`, spanOptions, async () => {
        try {
          const response: unknown = await opened.request(body as never, options as never);
          observeChainRequest(method, 'ok', seconds());
          return response;
        } catch (error) {
          observeChainRequest(method, failureOf(error), seconds());
          throw error;
        }
      });
    }) as typeof opened.request;
    return { ...opened, request };
  };
  return observed as Inner;
}

/** A revert is a valid response, not a failure of the node. */
function failureOf(error: unknown): string {
  if (error instanceof TimeoutError) return 'timeout';
  if (error instanceof LimitExceededRpcError) return 'rate_limited';
  if (error instanceof HttpRequestError) return error.status === 429 ? 'rate_limited' : 'network';
  return error instanceof RpcRequestError || hasCode(error) ? 'answered_error' : 'error';
}

function hasCode(error: unknown): boolean {
  return error instanceof Error && 'code' in error;
}
