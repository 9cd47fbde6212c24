import { DrizzleQueryError } from 'drizzle-orm/errors';
import { describe, expect, test } from 'vitest';
import { isDatabaseOutage, isQueryOutage } from './outage.ts';

const withCode = (code: string) => Object.assign(new Error('said the server'), { code });

describe('isDatabaseOutage', () => {
  test.each([
    ['a server that is starting', withCode('57P03'), true],
    ['a refused connection', withCode('ECONNREFUSED'), true],
    [
      'a query whose server was killed',
      new DrizzleQueryError('select', [], withCode('57P01')),
      true,
    ],
    ['a primary that is a standby since', withCode('25006'), true],
    ['a pooler without a server', withCode('08P01'), true],
    ['a broken connection', new Error('Connection terminated unexpectedly'), true],
    ['a full pool', new Error('timeout exceeded when trying to connect'), true],
    ['a duplicate', new DrizzleQueryError('insert', [], withCode('23505')), false],
    ['a defect', new TypeError('x is not a function'), false],
    ['no error at all', undefined, false],
  ])('judges %s', (_what, error, expected) => {
    expect(isDatabaseOutage(error)).toBe(expected);
  });
});

test('given a refused connection, tells a query from a call to another service', () => {
  const refused = withCode('ECONNREFUSED');
  expect(isQueryOutage(new DrizzleQueryError('insert', [], refused))).toBe(true);
  expect(isQueryOutage(new TypeError('fetch failed', { cause: refused }))).toBe(false);
});
