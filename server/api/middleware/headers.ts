import type { Middleware } from './env.ts';

/** Headers of every response, unless a route says otherwise. */
export function fixedHeaders(headers: Record<string, string>): Middleware {
  const pairs = Object.entries(headers);
  return (c, next) => {
    for (const [name, value] of pairs) c.header(name, value);
    return next();
  };
}
