import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { readForge, readPlaywright, readVitest } from './reports.ts';
import type { Stage } from './runStages.ts';

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

const LAYERS = ['.dependency-cruiser.mjs', 'app', 'components', 'lib', 'server'];

/** Playwright compares it with project, file, title and tags of each journey. */
const SHORT_JOURNEYS = '--grep-invert=@long|^ ?phone .*@phone-long';

/** All checks; the likeliest to fail come first. */
export function stages(options: { isLong: boolean }): Stage[] {
  const reports = mkdtempSync(join(tmpdir(), 'crossbook-test-'));
  const long: Record<string, string> = options.isLong ? { TEST_LONG: '1' } : {};
  const vitest = (name: string, projects: string[], files: string[] = []): Stage => {
    const report = join(reports, `${name}.json`);
    const command = [
      ...program('vitest'),
      'run',
      ...files,
      ...projects.map((project) => `--project=${project}`),
      ...(options.isLong ? [] : ['--tags-filter=!long']),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ];
    return {
      name,
      commands: [command],
      environment: long,
      cores: 1,
      tally: () => readVitest(report),
    };
  };
  // Tests of a short run wait for a part of their time, so their stages share the cores.
  const waiting = { cores: options.isLong ? 2 : 1, after: ['build'] };
  // A short run compares the two mounts in one of its integration tests.
  const mount = {
    ...vitest('mount', ['integration'], ['server/api']),
    environment: { ...long, TEST_MOUNT: 'next' },
  };
  const browserReport = join(reports, 'browser.json');
  return [
    {
      name: 'types',
      commands: [
        [...program('next'), 'typegen'],
        // Each of the usual four checkers checks most types anew.
        [...program('typescript', 'tsc'), '--noEmit', '--checkers', '2'],
      ],
      // The compiler, a Go program, spends a third of its time on garbage collection without it.
      environment: { GOGC: '400' },
      cores: 1,
    },
    // Second, because the stages beside it use the time in which its tests wait.
    vitest('unit', ['unit', 'components']),
    {
      name: 'lint',
      commands: [
        [...program('@biomejs/biome', 'biome'), 'check', '--error-on-warnings', '.'],
        [...program('oxlint'), '--type-aware'],
      ],
      cores: 1,
    },
    // Before shorter ones: the longest stages need what it makes.
    { name: 'build', commands: [[node, 'scripts/build.ts']], cores: 1 },
    {
      name: 'layers',
      commands: [[...program('dependency-cruiser', 'depcruise'), '--config', ...LAYERS]],
      cores: 1,
    },
    { name: 'unused', commands: [program('knip')], cores: 1 },
    {
      name: 'contracts',
      commands: [
        [node, 'scripts/test-contracts.ts', ...(options.isLong ? ['--long'] : [])],
        [node, 'scripts/compile-contracts.ts', '--check'],
        [node, 'scripts/measure-contract-gas.ts', '--check'],
      ],
      cores: 1,
      tally: readForge,
    },
    {
      name: 'security',
      commands: [
        [node, 'scripts/check-secrets.ts'],
        [node, 'scripts/check-dependencies.ts'],
      ],
      cores: 1,
    },
    { ...vitest('integration', ['integration']), ...waiting },
    { ...vitest('sandbox', ['sandbox']), ...waiting },
    ...(options.isLong ? [{ ...mount, ...waiting }] : []),
    {
      name: 'browser',
      commands: [[...program('playwright'), 'test', ...(options.isLong ? [] : [SHORT_JOURNEYS])]],
      environment: { ...long, E2E_REPORT: browserReport },
      cores: 2,
      after: ['build'],
      tally: (output) => readPlaywright(browserReport, output),
    },
  ];
}
