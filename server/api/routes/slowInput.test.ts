import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { BODY_LIMIT_BYTES } from '../middleware/input.ts';
import { createDescribedRoutes } from '../testing/describedRoutes.ts';
import type { Route } from './route.ts';

/**
 * Texts by which patterns that look back too much are made to think for hours, as long as a body
 * may be.
 */
const SIZE = BODY_LIMIT_BYTES - 1_024;
const TEXTS = [
  'a'.repeat(SIZE),
  '0'.repeat(SIZE),
  `${'1'.repeat(SIZE)}!`,
  `${'1.'.repeat(SIZE / 2)}!`,
  `${' '.repeat(SIZE)}x`,
  `${'a-'.repeat(SIZE / 2)}!`,
  `0x${'0'.repeat(SIZE)}g`,
  `https://${'a.'.repeat(SIZE / 2)}!`,
  `2026-11-21T00:00:00.${'0'.repeat(SIZE)}`,
  `${':'.repeat(SIZE)}`,
  `${'aA'.repeat(SIZE / 2)}\u0000`,
];
/** Far more than any of them takes, also on a machine that is busy. */
const TIMEOUT_MS = 500;

let routes: readonly Route<never>[];

beforeAll(async () => {
  routes = await createDescribedRoutes();
});

/** Every text of an input, at any depth, replaced. */
function filledWith(schema: z.core.JSONSchema._JSONSchema, text: string, depth = 0): unknown {
  if (typeof schema === 'boolean' || depth > 6) return text;
  const [first] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (first !== undefined) return filledWith(first, text, depth + 1);
  if (schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, inner]) => [
        name,
        filledWith(inner, text, depth + 1),
      ]),
    );
  }
  if (schema.type === 'array' && schema.items && !Array.isArray(schema.items)) {
    return [filledWith(schema.items, text, depth + 1)];
  }
  return text;
}

describe('no input makes validation think for long', () => {
  test('in any parameter or field of any path', () => {
    const slow: string[] = [];
    let tried = 0;
    for (const route of routes) {
      for (const [part, schema] of Object.entries(route.schemas)) {
        if (!schema) continue;
        const shape = z.toJSONSchema(schema, {
          io: 'input',
          unrepresentable: 'any',
          reused: 'inline',
        });
        for (const text of TEXTS) {
          const input = filledWith(shape, text);
          const startedAt = performance.now();
          schema.safeParse(input);
          tried += 1;
          const took = performance.now() - startedAt;
          if (took > TIMEOUT_MS) {
            slow.push(`${route.method} ${route.path} ${part}: ${took} ms for ${text.slice(0, 20)}`);
          }
        }
      }
    }
    expect(tried).toBeGreaterThan(200);
    expect(slow).toEqual([]);
  });
});
