import type { z } from 'zod';
import type { FieldProblem } from '../../platform/errors.ts';

export type InputPart = 'path' | 'query' | 'body';

const MAX_PROBLEMS = 50;

/** The request does not fit the route's schemas. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly problems: FieldProblem[];

  constructor(problems: FieldProblem[]) {
    super(`${problems.length} fields are not valid`);
    this.problems = problems.slice(0, MAX_PROBLEMS);
  }
}

/** One reference token of an RFC 6901 pointer. */
export function escapePointer(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

function pointerOf(part: InputPart, path: readonly PropertyKey[]): string {
  const tokens = path.map((token) => escapePointer(String(token)));
  return [part === 'body' ? '' : `/${part}`, ...tokens].join('/');
}

type Issue = z.core.$ZodIssue;

function detailOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be of type ${issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters long' : ''}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${issue.origin === 'string' ? ' characters long' : ''}`;
    default:
      return issue.message;
  }
}

/** Every issue of a failed parse as pointer and detail, unknown keys one by one. */
export function problemsOf(part: InputPart, error: z.ZodError): FieldProblem[] {
  return error.issues.flatMap((issue): FieldProblem[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        pointer: pointerOf(part, [...issue.path, key]),
        detail: part === 'query' ? 'is not a parameter of this path' : 'is not a known field',
      }));
    }
    return [{ pointer: pointerOf(part, issue.path), detail: detailOf(issue) }];
  });
}
