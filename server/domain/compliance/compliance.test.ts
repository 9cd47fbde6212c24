import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ComplianceConfig,
  complianceProblems,
  readCompliance,
} from '../../platform/config/compliance.ts';
import { createListCheck, openListFile, regionReader } from './compliance.ts';

const BLOCKED = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';

let folder = '';
let config: ComplianceConfig;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook-lists-'));
  writeFileSync(join(folder, 'regions'), 'kp # a comment\n\nUS-NY\n# a line of comments\n');
  writeFileSync(join(folder, 'addresses'), `${BLOCKED.toLowerCase()}\n`);
  config = {
    mode: 'lists',
    region: { header: 'x-region', required: false, blockedFile: join(folder, 'regions') },
    blockedAddressesFile: join(folder, 'addresses'),
    terms: undefined,
    retentionDays: 90,
  };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the lists', () => {
  const assess = (addresses: string[], region?: string) =>
    createListCheck(config).assessPurchase({ addresses, region });

  test.each([
    ['a country on the list', 'KP', true],
    ['a part of a country on the list', 'kp-01', true],
    ['a part on the list', 'us-ny', true],
    ['another part of that country', 'US-CA', false],
    ['another country', 'FR', false],
    ['an unknown region', undefined, false],
  ])('%s', async (_what, region, isRefused) => {
    expect(await assess([OTHER], region)).toEqual(isRefused ? ['region_not_served'] : []);
  });

  test('refuse a request of unknown region, where a region is required', async () => {
    const strict = createListCheck({ ...config, region: { ...config.region, required: true } });
    expect(await strict.assessPurchase({ addresses: [], region: undefined })).toEqual([
      'region_not_served',
    ]);
  });

  test('find an address in any spelling, for every service', async () => {
    expect(await assess([BLOCKED], 'KP')).toEqual(['account_blocked', 'region_not_served']);
    expect(await assess([OTHER, BLOCKED], 'FR')).toEqual(['account_blocked']);
    const check = createListCheck(config);
    expect(await check.assessParties([BLOCKED.toUpperCase().replace('0X', '0x')])).toEqual([
      'account_blocked',
    ]);
    expect(await check.assessParties([OTHER])).toEqual([]);
  });
});

describe('a list in a file', () => {
  test('is read again when it has changed, and refuses everything when it is missing', async () => {
    const path = join(folder, 'changing');
    let now = 0;
    writeFileSync(path, 'a\n');
    const read = openListFile(
      path,
      (entry) => entry,
      () => now,
    );
    expect([...(await read())]).toEqual(['a']);
    writeFileSync(path, 'a\nbcd\n');
    expect([...(await read())]).toEqual(['a']);
    now += 10_000;
    expect([...(await read())]).toEqual(['a', 'bcd']);
    rmSync(path);
    now += 10_000;
    await expect(read()).rejects.toThrow(/ENOENT/);
  });
});

describe('a region', () => {
  const read = regionReader('x-region', ['10.0.0.0/8']);
  const request = (peer: string, region: string) => ({ peer, header: () => region });

  test('is trusted only on the connection of our own proxy', () => {
    expect(read(request('10.1.2.3', 'us-ny'))).toBe('US-NY');
    expect(read(request('::ffff:10.1.2.3', 'FR'))).toBe('FR');
    expect(read(request('203.0.113.5', 'FR'))).toBeUndefined();
  });

  test.each(['', 'XX', 'T1', 'France', 'F', 'FR, US'])('treats %o as unknown', (text) => {
    expect(read(request('10.1.2.3', text))).toBeUndefined();
  });
});

describe('required settings', () => {
  const base = { REGION_REQUIRED: false, RETENTION_DAYS: 90 };
  const problems = (env: object, isProduction = false) =>
    complianceProblems({ ...base, ...env }, { isProduction });

  test('are none for a sandbox, all for production', () => {
    expect(problems({})).toEqual([]);
    expect(problems({}, true)).toEqual([expect.stringMatching(/^COMPLIANCE: .*is not set/)]);
    expect(problems({ COMPLIANCE: 'off' }, true)).toEqual([]);
  });

  test('lists need a list, a header, a proxy and a readable file', () => {
    expect(problems({ COMPLIANCE: 'lists' })).toHaveLength(1);
    const listed = { COMPLIANCE: 'lists', BLOCKED_REGIONS_FILE: join(folder, 'regions') };
    expect(problems(listed)).toEqual([expect.stringMatching(/^REGION_HEADER/)]);
    expect(problems({ ...listed, REGION_HEADER: 'X-Region' })).toEqual([
      expect.stringMatching(/TRUSTED_PROXIES/),
    ]);
    const whole = { ...listed, REGION_HEADER: 'X-Region', TRUSTED_PROXIES: ['10.0.0.1'] };
    expect(problems(whole)).toEqual([]);
    expect(problems({ ...whole, BLOCKED_ADDRESSES_FILE: join(folder, 'none') })).toEqual([
      expect.stringMatching(/cannot be read/),
    ]);
  });

  test('required terms need a URL', () => {
    expect(problems({ TERMS_VERSION: '2026-11' })).toEqual([expect.stringMatching(/^TERMS_URL/)]);
    const terms = { TERMS_VERSION: '2026-11', TERMS_URL: 'https://example.org/terms' };
    expect(readCompliance({ ...base, ...terms }).terms).toEqual({
      version: '2026-11',
      url: 'https://example.org/terms',
    });
  });
});
