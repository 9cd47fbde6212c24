import type { ErrorCode } from '#lib/api/errorCodes.ts';

/** A problem of one request field: its RFC 6901 JSON pointer, and what to change. */
export type FieldProblem = { pointer: string; detail: string };

/**
 * The error that a caller receives. `detail` is public text: what happened, whether money is safe,
 * what to do. Internals belong in `cause`, which is logged and never sent.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors: FieldProblem[];
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    detail: string,
    options: { errors?: FieldProblem[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(`${code}: ${detail}`, { cause: options.cause });
    this.code = code;
    this.detail = detail;
    this.errors = options.errors ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Runs checks that throw, and keeps every problem instead of the first one. */
export function collectProblems() {
  const problems: ServiceError[] = [];
  const attempt = <Value>(check: () => Value): Value | undefined => {
    try {
      return check();
    } catch (error) {
      if (!isServiceError(error)) throw error;
      problems.push(error);
      return undefined;
    }
  };
  return { problems, attempt };
}

/** @throws {ServiceError} the first problem, if there is one */
export function throwFirst([first]: readonly ServiceError[]): void {
  if (first) throw first;
}

/**
 * Next bundles the pages while the API runs as plain modules in the same process, so the class can
 * exist twice: the name decides, not the constructor.
 */
export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && error.name === 'ServiceError' && 'code' in error;
}
