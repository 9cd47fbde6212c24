import { type ApiProblemCode, isApiProblem } from '#lib/api/problem.ts';

/** After these nobody knows whether it took effect, and what their details advise is for programs. */
const UNCLEAR: ReadonlySet<ApiProblemCode> = new Set<ApiProblemCode>([
  'network_error',
  'timeout',
  'unexpected_answer',
  'internal_error',
  'service_unavailable',
]);

/** Whether what was asked for may have happened all the same: it is only repeated word for word. */
export function isUnknownOutcome(problem: unknown): boolean {
  return isApiProblem(problem) && (problem.status === 0 || problem.status >= 500);
}

/** The same for whoever pressed the button, who has no client id to try again with. */
export function explainUnknownOutcome(problem: unknown, what: string): unknown {
  if (!isUnknownOutcome(problem) || !isApiProblem(problem) || !UNCLEAR.has(problem.code))
    return problem;
  return new Error(
    `The connection failed, so it is not clear whether ${what} was received. Press again: it runs only once.`,
    { cause: problem },
  );
}
