import { randomUUID } from 'node:crypto';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ERROR_CODES, type ErrorCode } from '#lib/api/errorCodes.ts';
import type { Problem } from '#lib/api/schemas/problem.ts';
import { isDatabaseOutage } from '../../platform/database/outage.ts';
import { isServiceError, ServiceError } from '../../platform/errors.ts';
import type { ApiContext } from './env.ts';
import { InputError } from './input.ts';

/** Names one request in its response and in the log. */
export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
}

/** The error that the caller gets for what was thrown; defects become `internal_error`. */
export function toServiceError(error: unknown): ServiceError {
  if (isServiceError(error)) return error;
  if (error instanceof InputError) {
    const count = error.problems.length;
    return new ServiceError(
      'invalid_request',
      count === 1 ? 'One field must be changed.' : `${count} fields must be changed.`,
      { errors: error.problems },
    );
  }
  if (isDatabaseOutage(error)) {
    return new ServiceError(
      'service_unavailable',
      'The service is temporarily unavailable. Nothing was lost. Try again in a moment.',
      { cause: error, retryAfterSeconds: 1 },
    );
  }
  return new ServiceError(
    'internal_error',
    'The request failed. Nothing was lost. Try again, or contact us with the request ID.',
    { cause: error },
  );
}

/** Address of the page about a code; stable, and the `type` of the problem. */
export function problemType(publicBaseUrl: string, code: ErrorCode): string {
  return `${publicBaseUrl}/docs/errors/${code}`;
}

/** Responds with what went wrong, and keeps it for the log. */
export function respondProblem(c: ApiContext, error: unknown, publicBaseUrl: string): Response {
  const failure = toServiceError(error);
  c.set('failure', failure);
  const { status, headers, body } = problemOf(failure, {
    requestId: c.get('requestId'),
    publicBaseUrl,
  });
  return c.body(body, status, headers);
}

/** A problem document (RFC 9457) with its headers. */
export function problemOf(
  error: ServiceError,
  context: { requestId: string; publicBaseUrl: string },
): { status: ContentfulStatusCode; headers: Record<string, string>; body: string } {
  const { status, title } = ERROR_CODES[error.code];
  const problem: Problem = {
    type: problemType(context.publicBaseUrl, error.code),
    title,
    status,
    detail: error.detail,
    code: error.code,
    errors: error.errors,
    requestId: context.requestId,
  };
  return {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(error.retryAfterSeconds === undefined
        ? {}
        : { 'retry-after': String(Math.ceil(error.retryAfterSeconds)) }),
      ...(status === 401 ? { 'www-authenticate': challengeOf(error.code) } : {}),
    },
    body: JSON.stringify(problem),
  };
}

function challengeOf(code: ErrorCode): string {
  if (code === 'token_missing') return 'Bearer';
  if (code === 'token_invalid' || code === 'operator_token_invalid') {
    return 'Bearer error="invalid_token"';
  }
  return 'ApiKey header="x-api-key"';
}
