import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { countPlaywright } from './stages.ts';

function reportOf(statuses: Record<string, string>, stats: Record<string, number>): string {
  const path = join(mkdtempSync(join(tmpdir(), 'crossbook-report-')), 'browser.json');
  const specs = Object.entries(statuses).map(([title, status]) => ({
    title,
    tests: [{ projectName: 'phone', status }],
  }));
  writeFileSync(path, JSON.stringify({ stats, suites: [{ specs: [], suites: [{ specs }] }] }));
  return path;
}

it('names the journeys that passed only at their second try', () => {
  const path = reportOf(
    { buys: 'expected', sells: 'flaky' },
    { expected: 1, unexpected: 0, flaky: 1 },
  );
  expect(countPlaywright(path, 'Browser: found\n')).toEqual({
    passed: 2,
    failed: 0,
    remark: 'found; passed at the second try: [phone] sells',
  });
});

it('counts a journey that failed twice as failed', () => {
  const path = reportOf({ buys: 'unexpected' }, { expected: 0, unexpected: 1, flaky: 0 });
  expect(countPlaywright(path, '')).toEqual({ passed: 0, failed: 1 });
});
