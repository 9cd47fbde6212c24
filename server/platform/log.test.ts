import { DrizzleQueryError } from 'drizzle-orm/errors';
import { HttpRequestError } from 'viem';
import { expect, test } from 'vitest';
import { createLog, describeError } from './log.ts';

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

test('an error is logged without the key in the address of a node, or the password of a database', () => {
  const url = 'https://base.node.example/v2/abcdefSecretKey?apikey=alsoSecret';
  const received = JSON.stringify(describeError(new HttpRequestError({ url, status: 500 })));
  expect(received).toContain('https://base.node.example/…');
  expect(received).not.toMatch(/secret/i);
  const error = new Error(
    'cannot reach postgres://crossbook:hunter2@db.example:5432/crossbook now',
  );
  expect(describeError(error).message).toBe('cannot reach postgres://db.example:5432/… now');
});

test('given an error that repeats a long request, logs its start and its reason', () => {
  const error = new Error(`Request body: ${'0'.repeat(1_000_000)}\n\nDetails: out of gas`);
  const { message, stack } = describeError(error);
  expect(message).toMatch(/^Request body: 0+ … 0+\n\nDetails: out of gas$/);
  expect(JSON.stringify([message, stack]).length).toBeLessThan(10_000);
});

test('fields with a secret are redacted, at the top and one level below', () => {
  const lines: string[] = [];
  const log = createLog('test', 'info', { write: (line: string) => void lines.push(line) });
  const secrets = {
    authorization: 'hunter2',
    apiKey: 'hunter2',
    databaseUrl: 'hunter2',
    password: 'hunter2',
    privateKey: 'hunter2',
    secret: 'hunter2',
    token: 'hunter2',
    'x-api-key': 'hunter2',
  };
  const { 'x-api-key': _, ...top } = secrets;
  log.info({ ...top, headers: secrets, key: { ...secrets } }, 'told');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('told');
  expect(lines[0]).not.toContain('hunter2');
});
