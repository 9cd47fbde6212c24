import { describe, expect, test } from 'vitest';
import {
  type LockedPackage,
  machinesWithoutHash,
  reviewPackages,
  reviewPins,
} from './dependencies.ts';

const sound: LockedPackage = { version: '1.0.0', integrity: 'sha512-abc', license: 'MIT' };
const review = (name: string, entry: LockedPackage, licence?: string) =>
  reviewPackages({ '': {}, [`node_modules/${name}`]: entry }, () => licence);

describe('a package', () => {
  test('with a hash and a free licence is fine', () => {
    expect(review('left-pad', sound)).toEqual([]);
    for (const license of ['(MIT OR GPL-3.0)', 'Apache-2.0 AND MIT', 'ISC OR GPL-3.0']) {
      expect(review('left-pad', { ...sound, license }), license).toEqual([]);
    }
  });

  test.each([
    [{ ...sound, integrity: undefined }, /no hash/],
    [{ ...sound, integrity: 'sha1-abc' }, /too weak/],
    [{ ...sound, resolved: 'https://registry.test/left-pad.tgz' }, /one registry/],
    [{ ...sound, hasInstallScript: true }, /runs a program/],
    [{ ...sound, license: 'GPL-3.0-or-later' }, /GPL-3\.0-or-later/],
    [{ ...sound, license: 'MIT AND SSPL-1.0' }, /SSPL/],
    [{ ...sound, license: undefined }, /no licence/],
  ])('that is %o needs a decision', (entry, expected) => {
    const problems = review('left-pad', entry);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(expected);
  });

  test('without a licence in the lock is judged by its own manifest', () => {
    expect(review('left-pad', { ...sound, license: undefined }, 'MIT')).toEqual([]);
  });

  test('inside another is judged by its own name', () => {
    const path = 'node_modules/drizzle-kit/node_modules/esbuild';
    const entry = { ...sound, hasInstallScript: true };
    expect(reviewPackages({ [path]: entry }, () => undefined)).toEqual([]);
  });

  const unhashed: LockedPackage = { version: '1.0.0', license: 'MIT', optional: true };

  test.each<LockedPackage>([
    { ...unhashed, os: ['darwin'] },
    { ...unhashed, os: ['linux'], cpu: ['arm64'] },
    { ...unhashed, os: ['linux'], cpu: ['x64'], libc: ['musl'] },
    { ...unhashed, cpu: ['wasm32'] },
  ])('that is %o may lack its hash: it is installed nowhere that we run', (entry) => {
    expect(review('a-binary', entry)).toEqual([]);
    expect(machinesWithoutHash(entry)).toBeTypeOf('string');
  });

  test.each<LockedPackage>([
    unhashed,
    { ...unhashed, os: ['linux'], cpu: ['x64'] },
    { ...unhashed, os: ['linux', 'darwin'] },
    { ...unhashed, cpu: ['x64'], libc: ['glibc'] },
    { ...unhashed, optional: undefined, os: ['darwin'] },
  ])('that is %o may not', (entry) => {
    expect(review('a-binary', entry)).toEqual([expect.stringMatching(/no hash/)]);
  });

  test('has its exception for one licence, not for every one', () => {
    expect(review('lightningcss', { ...sound, license: 'MPL-2.0' })).toEqual([]);
    expect(review('lightningcss', { ...sound, license: 'GPL-3.0' })).not.toEqual([]);
    expect(review('lightningcssx', { ...sound, license: 'MPL-2.0' })).not.toEqual([]);
  });
});

test('direct dependencies are pinned to one version', () => {
  expect(reviewPins({ a: '1.2.3', b: '18.4.0-beta.17' })).toEqual([]);
  expect(
    reviewPins({ a: '^1.2.3', b: '~1.2.3', c: 'latest', d: '1.x', e: 'github:a/b' }),
  ).toHaveLength(5);
});
