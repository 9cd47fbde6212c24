import { DrizzleQueryError } from 'drizzle-orm/errors';
import { expect, test } from 'vitest';
import { describeError } from './log.ts';

test('an error is logged without the values of the query that failed', () => {
  const cause = Object.assign(new Error('the database system is starting up'), {
    client: { password: 'hunter2' },
  });
  const text = JSON.stringify(
    describeError(new DrizzleQueryError('select a from b where c = $1', ['hunter2'], cause)),
  );
  expect(text).toContain('select a from b where c = $1');
  expect(text).toContain('starting up');
  expect(text).not.toContain('hunter2');
});
