import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import type { Stage, Tally } from './runStages.ts';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const node = process.execPath;

/** A program of an npm package, run by this Node rather than by the one in the PATH. */
function program(packageName: string, binary = packageName): string[] {
  const manifestPath = join(PROJECT, 'node_modules', packageName, 'package.json');
  const manifest = z
    .object({ bin: z.union([z.string(), z.record(z.string(), z.string())]) })
    .parse(JSON.parse(readFileSync(manifestPath, 'utf8')));
  const bin = typeof manifest.bin === 'string' ? manifest.bin : (manifest.bin[binary] ?? '');
  return [node, join(manifestPath, '..', bin)];
}

/** What a short run asks of the interface as Next's route handlers answer it; a long one asks all. */
const OTHER_MOUNT = ['published', 'markets'].map(
  (name) => `server/api/${name}.integration.test.ts`,
);

/** Everything that must pass, in the order in which it is started. */
export function stages(options: { isLong: boolean }): Stage[] {
  const reports = mkdtempSync(join(tmpdir(), 'crossbook-test-'));
  const long: Record<string, string> = options.isLong ? { TEST_LONG: '1' } : {};
  const vitest = (name: string, projects: string[], files: string[] = []): Stage => {
    const report = join(reports, `${name}.json`);
    return {
      name,
      commands: [
        [
          ...program('vitest'),
          'run',
          ...files,
          ...projects.map((project) => `--project=${project}`),
          '--reporter=default',
          '--reporter=json',
          `--outputFile.json=${report}`,
        ],
      ],
      environment: long,
      cores: 1,
      count: () => countVitest(report),
    };
  };
  const browserReport = join(reports, 'browser.json');
  return [
    { name: 'build', commands: [[node, 'scripts/build.ts']], cores: 2 },
    {
      name: 'types',
      commands: [[...program('typescript', 'tsc'), '--noEmit']],
      cores: 1,
      // The build writes the types of the routes.
      after: ['build'],
    },
    {
      name: 'lint',
      commands: [
        [...program('@biomejs/biome', 'biome'), 'check', '--error-on-warnings', '.'],
        [...program('oxlint'), '--type-aware'],
      ],
      cores: 1,
    },
    { name: 'unused', commands: [program('knip')], cores: 1 },
    {
      name: 'security',
      commands: [
        [node, 'scripts/check-secrets.ts'],
        [node, 'scripts/check-dependencies.ts'],
      ],
      cores: 1,
    },
    vitest('unit', ['unit', 'components']),
    {
      name: 'contracts',
      commands: [
        [node, 'scripts/compile-contracts.ts', '--check'],
        [node, 'scripts/measure-contract-gas.ts', '--check'],
        [node, 'scripts/test-contracts.ts', ...(options.isLong ? ['--long'] : [])],
      ],
      cores: 1,
      count: countForge,
    },
    { ...vitest('sandbox', ['sandbox']), cores: 2, after: ['build'] },
    { ...vitest('integration', ['integration']), cores: 2, after: ['build'] },
    {
      ...vitest('mount', ['integration'], options.isLong ? ['server/api'] : OTHER_MOUNT),
      environment: { ...long, TEST_MOUNT: 'next' },
      cores: 2,
      after: ['build'],
    },
    {
      name: 'browser',
      commands: [[...program('playwright'), 'test']],
      environment: { ...long, E2E_REPORT: browserReport },
      cores: 2,
      after: ['build'],
      count: (output) => countPlaywright(browserReport, output),
    },
  ];
}

function readReport(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

const vitestReport = z.object({ numPassedTests: z.number(), numFailedTests: z.number() });

function countVitest(path: string): Tally | undefined {
  const report = vitestReport.safeParse(readReport(path));
  if (!report.success) return undefined;
  return { passed: report.data.numPassedTests, failed: report.data.numFailedTests };
}

const playwrightSpec = z.object({
  title: z.string(),
  tests: z.array(z.object({ projectName: z.string(), status: z.string() })),
});
type PlaywrightSuite = { specs: z.infer<typeof playwrightSpec>[]; suites?: PlaywrightSuite[] };
const playwrightSuite: z.ZodType<PlaywrightSuite> = z.object({
  specs: z.array(playwrightSpec),
  suites: z.lazy(() => z.array(playwrightSuite)).optional(),
});
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
  suites: z.array(playwrightSuite),
});

/** Counts journeys; those that needed a second try pass, and are named. */
export function countPlaywright(path: string, output: string): Tally | undefined {
  const report = playwrightReport.safeParse(readReport(path));
  if (!report.success) return undefined;
  const { expected, unexpected, flaky } = report.data.stats;
  const again = report.data.suites.flatMap(neededTwo);
  const remarks = [
    /^Browser: (.*)$/m.exec(output)?.[1],
    again.length > 0 ? `passed at the second try: ${again.join('; ')}` : undefined,
  ].filter((remark) => remark !== undefined);
  const remark = remarks.join('; ');
  return { passed: expected + flaky, failed: unexpected, ...(remark && { remark }) };
}

function neededTwo({ specs, suites = [] }: PlaywrightSuite): string[] {
  const here = specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status === 'flaky')
      .map(({ projectName }) => `[${projectName}] ${title}`),
  );
  return [...here, ...suites.flatMap(neededTwo)];
}

function countForge(output: string): Tally | undefined {
  // Forge colours its output when it likes.
  const plain = stripVTControlCharacters(output);
  const found = /(\d+) tests passed, (\d+) failed, \d+ skipped \(/.exec(plain);
  return found ? { passed: Number(found[1]), failed: Number(found[2]) } : undefined;
}
