import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('given changed pages, the worker changes too', () => {
  const hash = createHash('sha256');
  for (const file of ['public/offline.html', 'public/offline.css', 'public/offline.js']) {
    hash.update(readFileSync(file));
  }
  hash.update(readFileSync('app/icon.svg'));
  // A browser installs a new worker only when its text has changed.
  expect(readFileSync('public/sw.js', 'utf8')).toContain(
    `'crossbook-offline-${hash.digest('hex').slice(0, 8)}'`,
  );
});
