import { bodyLimit } from 'hono/body-limit';
import type { z } from 'zod';
import type { FieldProblem } from '../../platform/errors.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { ApiContext, Middleware } from './env.ts';

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
  return error.issues.flatMap((issue) => problemsOfIssue(part, issue));
}

function problemsOfIssue(part: InputPart, issue: Issue): FieldProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      pointer: pointerOf(part, [...issue.path, key]),
      detail: part === 'query' ? 'is not a parameter of this path' : 'is not a known field',
    }));
  }
  // Of alternatives, the one that has the type of what was sent says what is wrong with it.
  const meant =
    issue.code === 'invalid_union'
      ? issue.errors.find((issues) => issues.every(({ path }) => path.length > 0))
      : undefined;
  if (meant) {
    return meant.flatMap((inner) =>
      problemsOfIssue(part, { ...inner, path: [...issue.path, ...inner.path] }),
    );
  }
  return [{ pointer: pointerOf(part, issue.path), detail: detailOf(issue) }];
}

/** Parses the query, before the body is read. */
export const readQuery: Middleware = (c, next) => {
  c.set('query', parseQuery(c.env.search));
  return next();
};

/** `%` followed by two hex digits, decoded as UTF-8. @throws {URIError} */
function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/**
 * Parses a query into an object without prototype. A parameter given twice is refused rather than
 * one of its values being picked, as Hono and URLSearchParams would.
 *
 * @throws {InputError}
 */
export function parseQuery(search: string): Record<string, string> {
  const query = Object.create(null) as Record<string, string>;
  const problems: FieldProblem[] = [];
  for (const pair of search.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    let name: string;
    let value: string;
    try {
      name = decode(equals === -1 ? pair : pair.slice(0, equals));
      value = equals === -1 ? '' : decode(pair.slice(equals + 1));
    } catch {
      problems.push({ pointer: '/query', detail: 'must be percent-encoded UTF-8' });
      continue;
    }
    if (name in query) {
      problems.push({ pointer: `/query/${escapePointer(name)}`, detail: 'is given twice' });
    }
    if (value.includes('\0')) {
      problems.push({ pointer: `/query/${escapePointer(name)}`, detail: 'must not contain NUL' });
    }
    query[name] = value;
  }
  if (problems.length > 0) throw new InputError(problems);
  return query;
}

export const BODY_LIMIT_BYTES = 64 * 1024;

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const limited = bodyLimit({
  maxSize: BODY_LIMIT_BYTES,
  onError() {
    throw new ServiceError('body_too_large', `The maximum body size is ${BODY_LIMIT_BYTES} bytes.`);
  },
});

/** Reads and parses a JSON body. */
export const readJsonBody: Middleware = async (c, next) => {
  requireJson(c);
  const bytes = await bytesOf(c);
  try {
    c.set('body', JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch (cause) {
    throw new ServiceError(
      'malformed_json',
      bytes.byteLength === 0 ? 'The body is empty.' : 'The body is not valid JSON in UTF-8.',
      { cause },
    );
  }
  await next();
};

function requireJson(c: ApiContext): void {
  if (!JSON_TYPE.test(c.req.header('content-type') ?? '')) {
    throw new ServiceError(
      'unsupported_media_type',
      'Send the body as JSON with the header Content-Type: application/json.',
    );
  }
  if ((c.req.header('content-encoding') ?? 'identity') !== 'identity') {
    throw new ServiceError('unsupported_media_type', 'Send the body uncompressed.');
  }
}

async function bytesOf(c: ApiContext): Promise<ArrayBuffer> {
  let bytes = new ArrayBuffer(0);
  try {
    await limited(c, async () => {
      bytes = await c.req.arrayBuffer();
    });
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    // The sender disconnected or was too slow.
    throw new ServiceError('malformed_json', 'The body is incomplete.', { cause });
  }
  return bytes;
}
