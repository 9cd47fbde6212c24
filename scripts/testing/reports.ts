import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

/** The results of a test tool. */
export type Tally = {
  passed: number;
  /** Each failed test with its location and title. */
  failures: string[];
  remark?: string;
};

/** Reads a JSON report; undefined when the tool ended before it wrote one. */
function readReport<Report>(path: string, schema: z.ZodType<Report>): Report | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}

const vitestReport = z.object({
  numPassedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

/** The linter refuses skipped tests, so pending ones are those with the tag `long`. */
export function readVitest(path: string): Tally | undefined {
  const report = readReport(path, vitestReport);
  if (!report) return undefined;
  const failures = report.testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && failed.length === 0) return [file];
    return failed.map(({ fullName }) => `${file} › ${fullName}`);
  });
  const left = report.numPendingTests;
  return {
    passed: report.numPassedTests,
    failures,
    ...(left > 0 && { remark: `${left} left to test:long` }),
  };
}

const playwrightSpec = z.object({
  file: z.string(),
  title: z.string(),
  tests: z.array(z.object({ projectName: z.string(), status: z.string() })),
});
type PlaywrightSuite = { specs: z.infer<typeof playwrightSpec>[]; suites?: PlaywrightSuite[] };
const playwrightSuite: z.ZodType<PlaywrightSuite> = z.object({
  specs: z.array(playwrightSpec),
  suites: z.lazy(() => z.array(playwrightSuite)).optional(),
});
const playwrightReport = z.object({
  stats: z.object({ expected: z.number() }),
  suites: z.array(playwrightSuite),
});

/** @param output contains the browser of the journeys */
export function readPlaywright(path: string, output: string): Tally | undefined {
  const report = readReport(path, playwrightReport);
  if (!report) return undefined;
  const browser = /^Browser: (.*)$/m.exec(output)?.[1];
  return {
    passed: report.stats.expected,
    failures: report.suites.flatMap(failedJourneys),
    ...(browser && { remark: browser }),
  };
}

function failedJourneys({ specs, suites = [] }: PlaywrightSuite): string[] {
  const here = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ projectName }) => `e2e/${file} › ${title} [${projectName}]`),
  );
  return [...here, ...suites.flatMap(failedJourneys)];
}

export function readForge(output: string): Tally | undefined {
  // Forge may colour its output.
  const plain = stripVTControlCharacters(output);
  const [, summary] = plain.split('Failing tests:');
  const passed = /(\d+) tests passed, \d+ failed, \d+ skipped \(/.exec(plain)?.[1];
  if (passed === undefined) return undefined;
  let suite = '';
  const failures: string[] = [];
  for (const line of summary?.split('\n') ?? []) {
    suite = /^Encountered .* in (.*)$/.exec(line)?.[1] ?? suite;
    const title = /^\[FAIL.*\] (\w+)/.exec(line)?.[1];
    if (title !== undefined) failures.push(`${suite} › ${title}`);
  }
  return { passed: Number(passed), failures };
}
