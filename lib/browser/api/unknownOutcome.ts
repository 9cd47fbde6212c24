import { type ApiProblemCode, isApiProblem } from '#lib/api/problem.ts';

/** Errors after which the outcome is unknown; their details address programs, not people. */
const UNCLEAR: ReadonlySet<ApiProblemCode> = new Set<ApiProblemCode>([
  'network_error',
  'timeout',
  'unexpected_answer',
  'internal_error',
  'service_unavailable',
]);

/** Whether the request may have taken effect; then it is only repeated unchanged. */
export function isUnknownOutcome(problem: unknown): boolean {
  return isApiProblem(problem) && (problem.status === 0 || problem.status >= 500);
}

/** The same message for a person, who has no client id to retry with. */
export function explainUnknownOutcome(problem: unknown, what: string): unknown {
  if (!isUnknownOutcome(problem) || !isApiProblem(problem) || !UNCLEAR.has(problem.code))
    return problem;
  return new Error(
    `The connection failed, so it is not clear whether ${what} was received. Press again: it runs only once.`,
    { cause: problem },
  );
}
