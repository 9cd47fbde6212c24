import { expect, test } from 'vitest';
import { ConfigError } from '../config/config.ts';
import { explain, StartError } from './runMain.ts';

const outage = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), {
  code: 'ECONNREFUSED',
});

test.each([
  [new ConfigError(['PORT: must be a number']), 78, /not usable:\n {2}- PORT: must be a number$/],
  [new StartError('notYet', 'no tables; make them'), 75, /^X cannot start: no tables; make them$/],
  [new StartError('refused', 'no such key; look'), 78, /no such key/],
  [outage, 75, /the database is not responding .*DATABASE_URL$/],
  [new Error('query', { cause: outage }), 75, /the database is not responding/],
  [new Error('a mistake of ours'), 1, /^X could not run: Error: a mistake of ours\n\s+at /],
])('%s', (error, exitCode, text) => {
  const said = explain('X', error);
  expect(said.exitCode).toBe(exitCode);
  expect(said.text).toMatch(text);
});
