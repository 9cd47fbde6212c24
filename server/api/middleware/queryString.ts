import type { FieldProblem } from '../../platform/errors.ts';
import type { Middleware } from './env.ts';
import { escapePointer, InputError } from './validation.ts';

/** Reads the query; what was sent as none is refused before the body is read. */
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
