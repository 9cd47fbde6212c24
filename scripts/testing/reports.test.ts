import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readForge, readPlaywright, readVitest } from './reports.ts';

function write(report: object): string {
  const path = join(mkdtempSync(join(tmpdir(), 'crossbook-report-')), 'report.json');
  writeFileSync(path, JSON.stringify(report));
  return path;
}

describe('given a report of vitest', () => {
  const file = (name: string, status: string, tests: [string, string][]) => ({
    name: resolve(name),
    status,
    assertionResults: tests.map(([fullName, state]) => ({ fullName, status: state })),
  });

  it('failed tests are named by file and title, files that do not load by file', () => {
    const path = write({
      numPassedTests: 1,
      numPendingTests: 0,
      testResults: [
        file('lib/a.test.ts', 'failed', [
          ['adds', 'passed'],
          ['a sum rounds', 'failed'],
        ]),
        file('lib/b.test.ts', 'failed', []),
      ],
    });
    const failures = ['lib/a.test.ts › a sum rounds', 'lib/b.test.ts'];
    expect(readVitest(path)).toEqual({ passed: 1, failures });
  });

  it('what the tag leaves out is counted', () => {
    const testResults = [file('lib/a.test.ts', 'passed', [['adds', 'passed']])];
    const path = write({ numPassedTests: 1, numPendingTests: 2, testResults });
    expect(readVitest(path)).toEqual({ passed: 1, failures: [], remark: '2 left to test:long' });
  });

  it('given none, there is no tally', () => {
    expect(readVitest('/no/such/report')).toBeUndefined();
  });
});

it('given a report of Playwright, failed journeys are named by file, title and project', () => {
  const spec = (title: string, status: string) => ({
    file: 'trade.spec.ts',
    title,
    tests: [{ projectName: 'phone', status }],
  });
  const inner = { specs: [spec('sells', 'unexpected')] };
  const suites = [{ specs: [spec('buys', 'expected')], suites: [inner] }];
  const path = write({ stats: { expected: 1 }, suites });
  expect(readPlaywright(path, 'Browser: found\n')).toEqual({
    passed: 1,
    failures: ['e2e/trade.spec.ts › sells [phone]'],
    remark: 'found',
  });
});

it('given the output of forge, failed tests are named by suite and title', () => {
  const output = `
[FAIL: wrong] test_pays() (gas: 10)
Ran 2 test suites in 8.14s (10.28s CPU time): 209 tests passed, 1 failed, 0 skipped (210 total tests)

Failing tests:
Encountered 1 failing test in contracts/test/VaultFill.t.sol:VaultFillTest
[FAIL: wrong] test_pays() (gas: 10)

Encountered a total of 1 failing tests, 209 tests succeeded
`;
  expect(readForge(output)).toEqual({
    passed: 209,
    failures: ['contracts/test/VaultFill.t.sol:VaultFillTest › test_pays'],
  });
});
