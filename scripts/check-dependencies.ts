import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { machinesWithoutHash, reviewPackages, reviewPins } from './security/dependencies.ts';
import { dim, green, red } from './terminal.ts';

/**
 * Reviews the dependencies: hashes, licences, install scripts, pins. Checks known vulnerabilities
 * if a registry responds; without one the other checks still count.
 */

const PROJECT = fileURLToPath(new URL('../', import.meta.url));
const AUDIT_TIMEOUT_MS = 20_000;
/** Packages used only by tests and the build are not reachable from outside. */
const AUDIT = ['audit', '--omit=dev', '--json', '--audit-level=high'];

const versions = z.record(z.string(), z.string());
const manifestSchema = z.object({
  dependencies: versions,
  devDependencies: versions,
  optionalDependencies: versions,
});
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      license: z.string().optional(),
      link: z.boolean().optional(),
      dev: z.boolean().optional(),
      optional: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
      os: z.array(z.string()).optional(),
      cpu: z.array(z.string()).optional(),
      libc: z.array(z.string()).optional(),
    }),
  ),
});
const licenceSchema = z.object({
  license: z.union([z.string(), z.object({ type: z.string() })]).optional(),
  licenses: z.array(z.object({ type: z.string() })).optional(),
});
const auditSchema = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string() })),
});

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(PROJECT, path), 'utf8'));
}

function licenceOf(path: string): string | undefined {
  try {
    const { license, licenses } = licenceSchema.parse(readJson(`${path}/package.json`));
    if (typeof license === 'string') return license;
    return license?.type ?? licenses?.map(({ type }) => type).join(' OR ');
  } catch {
    return undefined;
  }
}

/** Packages with known vulnerabilities; undefined when no registry responded. */
function askForWeaknesses(): string[] | undefined {
  const asked = spawnSync('npm', AUDIT, {
    cwd: PROJECT,
    encoding: 'utf8',
    timeout: AUDIT_TIMEOUT_MS,
    env: { ...process.env, npm_config_audit: 'true' },
  });
  try {
    const { vulnerabilities } = auditSchema.parse(JSON.parse(asked.stdout));
    return Object.entries(vulnerabilities)
      .filter(([, { severity }]) => severity === 'high' || severity === 'critical')
      .map(
        ([name, { severity }]) => `${name} has a known vulnerability (${severity}): see npm audit`,
      );
  } catch {
    return undefined;
  }
}

const manifest = manifestSchema.parse(readJson('package.json'));
const { packages } = lockSchema.parse(readJson('package-lock.json'));
const weaknesses = askForWeaknesses();
const problems = [
  ...reviewPins({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  }),
  ...reviewPackages(packages, licenceOf),
  ...(weaknesses ?? []),
];
for (const problem of problems) process.stderr.write(`  ${red('✗')} ${problem}\n`);
if (problems.length > 0) {
  process.stderr.write('  Review it in scripts/security/dependencies.ts, or remove it.\n');
  process.exit(1);
}
const withoutHash = Object.values(packages).flatMap((entry) =>
  entry.integrity === undefined ? (machinesWithoutHash(entry) ?? []) : [],
);
const machines = [...Map.groupBy(withoutHash, (machine) => machine)].map(
  ([machine, { length }]) => `${machine} (${length})`,
);
process.stdout.write(
  `  ${dim('·')} ${withoutHash.length} have no hash, as the registry of the lock does not serve them; all are optional, and only for ${machines.join(', ')}\n`,
);
const audited = weaknesses
  ? 'no known vulnerabilities'
  : 'vulnerabilities not checked: the registry is not responding';
process.stdout.write(
  `  ${green('✓')} ${Object.keys(packages).length - 1} packages reviewed, ${audited}\n`,
);
