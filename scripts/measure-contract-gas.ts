import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureGas } from '#sandbox/chain/gas/measureGas.ts';

/**
 * Measures what transactions cost on a fresh local chain and writes contracts/gas.json, which is
 * committed. `--check` writes nothing and fails when a figure has risen. A missed target fails both.
 */

/** Addresses and signatures differ from run to run, and with them the cost of their calldata. */
const CALLDATA_NOISE = 200;

const file = new URL('../contracts/gas.json', import.meta.url);

const TARGETS: Record<string, number> = {
  'fill, buy, exact': 75_000,
  'fill, buy, each in a batch of five': 50_000,
  'partial fill, buy': 72_000,
  'partial fill, buy, each in a batch of twenty-five': 36_000,
  'request, buy, through the grant': 115_000,
  // At most 18,000 and 12,000 above the request without a key before there were keys.
  'request, buy, signed by a P-256 key': 117_904,
  'request, buy, signed by a secp256k1 key': 111_904,
  'account deployment': 80_000,
  'grant renewal': 45_000,
  'grant renewal with other caps': 45_000,
  'redemption of a part of a balance': 63_000,
  'redemption of a whole balance': 60_000,
  'relayed batch, transfer of USDC': 70_000,
  'relayed batch, revocation': 60_000,
  'relayed deposit': 70_000,
  'merge of pairs, by a plain wallet': 90_000,
};

/** At most so much above another figure. */
const ABOVE: Record<string, { base: string; gas: number }> = {
  'request, buy, signed by a P-256 key': { base: 'request, buy, through the grant', gas: 18_000 },
  'request, buy, signed by a further P-256 key': {
    base: 'request, buy, through the grant',
    gas: 18_000,
  },
  'request, buy, signed by a secp256k1 key': {
    base: 'request, buy, through the grant',
    gas: 12_000,
  },
  'request, buy, signed by a further secp256k1 key': {
    base: 'request, buy, through the grant',
    gas: 12_000,
  },
};

/** The most that a transaction may cost; undefined without a target. */
function targetOf(name: string, measured: Record<string, number>): number | undefined {
  const above = ABOVE[name];
  const relative = above && (measured[above.base] ?? 0) + above.gas;
  const fixed = TARGETS[name];
  return fixed === undefined ? relative : Math.min(fixed, relative ?? fixed);
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-gas-'));
try {
  const measured = await measureGas(dataDir);
  const committed = values.check
    ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>)
    : measured;
  let failures = 0;
  for (const [name, gas] of Object.entries(measured)) {
    const target = targetOf(name, measured);
    const missed = target !== undefined && gas > target;
    const risen = gas > (committed[name] ?? 0) + CALLDATA_NOISE;
    if (risen || missed) failures += 1;
    const notes = [
      target === undefined ? '' : `target ${target.toLocaleString('en')}`,
      missed ? 'MISSED' : '',
      risen ? `was ${committed[name]?.toLocaleString('en') ?? 'not recorded'}` : '',
    ].filter((note) => note !== '');
    process.stdout.write(
      `${name.padEnd(44)} ${gas.toLocaleString('en').padStart(9)}  ${notes.join(', ')}\n`,
    );
  }
  if (!values.check) writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`);
  process.exitCode = failures === 0 ? 0 : 1;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
