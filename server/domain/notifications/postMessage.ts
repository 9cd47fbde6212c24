import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { isServiceError } from '#server/platform/errors.ts';
import { guardedRequest } from '#server/platform/network/guardedRequest.ts';
import {
  ForbiddenAddressError,
  UnresolvedHostError,
} from '#server/platform/network/hostResolver.ts';
import { isAllowedAddress, parseTarget, type TargetPolicy } from './webhooks/target.ts';

/** The result of one attempt. `error` is null if the message arrived. */
export type AttemptResult = {
  statusCode: number | null;
  error: string | null;
  /** The beginning of the response body. */
  responseText: string;
  durationMs: number;
  /** The target's Retry-After. */
  retryAfterSeconds: number | undefined;
};

export type OutgoingMessage = { headers: OutgoingHttpHeaders; body: string | Buffer };

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 1_000;

/**
 * Posts a message once. Follows no redirects, checks every address when connecting, and keeps at
 * most {@link MAX_RESPONSE_BYTES} of the response. Never throws.
 */
export async function postMessage(
  target: string,
  message: OutgoingMessage,
  policy: TargetPolicy,
): Promise<AttemptResult> {
  const startedAt = performance.now();
  const result = await post(target, message, policy).catch((error: unknown) => ({
    statusCode: null,
    error: describeFailure(error),
    responseText: '',
    retryAfterSeconds: undefined,
  }));
  return { ...result, durationMs: Math.round(performance.now() - startedAt) };
}

async function post(
  target: string,
  message: OutgoingMessage,
  policy: TargetPolicy,
): Promise<Omit<AttemptResult, 'durationMs'>> {
  const response = await guardedRequest(parseTarget(target, policy), {
    method: 'POST',
    headers: { ...message.headers, 'content-length': Buffer.byteLength(message.body) },
    body: message.body,
    timeoutMs: TIMEOUT_MS,
    resolveHost: policy.resolveHost,
    isAllowed: (address) => isAllowedAddress(address, policy),
  });
  const statusCode = response.statusCode ?? 0;
  const responseText = await startOf(response);
  const arrived = statusCode >= 200 && statusCode < 300;
  return {
    statusCode,
    error: arrived ? null : `responded with status ${statusCode}`,
    responseText,
    retryAfterSeconds: retryAfterOf(response),
  };
}

async function startOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MAX_RESPONSE_BYTES) break;
  }
  response.destroy();
  const text = Buffer.concat(chunks).subarray(0, MAX_RESPONSE_BYTES).toString('utf8');
  // PostgreSQL cannot store NUL in a text.
  return text.replaceAll('\0', '\u{fffd}').toWellFormed();
}

function retryAfterOf(response: IncomingMessage): number | undefined {
  const seconds = Number(response.headers['retry-after'] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

const FAILURES: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the request timed out',
  EPIPE: 'the connection was closed',
};

/** Why the message did not arrive, without internal details. */
function describeFailure(error: unknown): string {
  if (error instanceof ForbiddenAddressError) return 'the address is not on the public internet';
  if (error instanceof UnresolvedHostError) return 'the name cannot be resolved';
  if (isServiceError(error)) return 'the address is not allowed';
  if (!(error instanceof Error)) return 'the message could not be sent';
  if (error.name === 'AbortError' || error.name === 'TimeoutError') {
    return `no response within ${TIMEOUT_MS / 1_000} seconds`;
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code in FAILURES) return FAILURES[code] ?? '';
  if (/CERT|SSL|TLS/.test(code)) return 'the TLS certificate is not valid';
  return 'the message could not be sent';
}
