import type { ErrorCode } from './errorCodes.ts';
import type { Problem } from './schemas/problem.ts';

/** The client itself reports `network_error` and `timeout`: the request may have arrived. */
export type ApiProblemCode = ErrorCode | 'network_error' | 'timeout' | 'unexpected_answer';

/**
 * An error response of the API, or a missing response. `status` is 0 if there was no response; the
 * request may have taken effect, and repeating it with the same `clientId` is safe.
 */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly code: ApiProblemCode;
  readonly title: string;
  readonly detail: string;
  readonly requestId: string | undefined;
  readonly errors: Problem['errors'];
  readonly retryAfterSeconds: number | undefined;

  constructor(fields: {
    status: number;
    code: ApiProblemCode;
    title: string;
    detail: string;
    requestId?: string;
    errors?: Problem['errors'];
    retryAfterSeconds?: number;
    cause?: unknown;
  }) {
    super(fields.detail, { cause: fields.cause });
    this.status = fields.status;
    this.code = fields.code;
    this.title = fields.title;
    this.detail = fields.detail;
    this.requestId = fields.requestId;
    this.errors = fields.errors ?? [];
    this.retryAfterSeconds = fields.retryAfterSeconds;
  }
}

/** Unlike `instanceof`, also true for the class of another bundle. */
export function isApiProblem(error: unknown): error is ApiProblem {
  return error instanceof Error && error.name === 'ApiProblem' && 'code' in error;
}
