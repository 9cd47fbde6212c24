import { parseArgs } from 'node:util';
import { type Address, formatEther } from 'viem';
import { findUnfinished, nextStoredNonce } from '#server/chain/operations/store.ts';
import { EXIT, runMain } from '#server/platform/process/runMain.ts';
import type { SignerRole } from '#server/processor/signers/signer.ts';
import { hasItsRoles, openSignerRoles } from '#server/processor/signers/signer.ts';
import { closeRuntime, openRuntime, type Runtime } from '#server/runtime.ts';
import { openService } from './serviceConfig.ts';
import { bold, dim, green, red } from './terminal.ts';

const USAGE = `Shows the configured chain keys: npm run -s keys [-- --json] [--data <folder>]
For each: its address, whether it has its role on the vault, its gas balance, and whether it has a
pending transaction. Exit code 1 if a key lacks its role or is out of gas.
`;

type KeyState = {
  address: Address;
  kinds: readonly string[];
  hasRole: boolean;
  balanceWei: bigint;
  nonceOnChain: number;
  nonceStored: bigint;
  transactionUnderWay: bigint | null;
};

async function lookAt(runtime: Runtime, { account, kinds }: SignerRole): Promise<KeyState> {
  const { chain, database } = runtime;
  const { address } = account;
  const [hasRole, balanceWei, nonceOnChain, nonceStored, unfinished] = await Promise.all([
    hasItsRoles(chain, { account, kinds }),
    chain.client.getBalance({ address }),
    chain.client.getTransactionCount({ address }),
    nextStoredNonce(database.orm, address),
    findUnfinished(database.orm, address),
  ]);
  const transactionUnderWay = unfinished?.nonce ?? null;
  return { address, kinds, hasRole, balanceWei, nonceOnChain, nonceStored, transactionUnderWay };
}

const isWell = ({ hasRole, balanceWei }: KeyState) => hasRole && balanceWei > 0n;

function describe(state: KeyState): string {
  const mark = isWell(state) ? green('●') : red('●');
  const work = state.kinds.join(', ');
  const role = state.hasRole ? work : red(`lacks its role for ${work}`);
  const way =
    state.transactionUnderWay === null
      ? 'no pending transaction'
      : `transaction ${state.transactionUnderWay} pending`;
  return `${mark} ${bold(state.address)}  ${role}  ${formatEther(state.balanceWei)} ETH  ${dim(way)}`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      data: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(USAGE);
  const service = await openService(values.data);
  const runtime = await openRuntime({ ...service.config, logLevel: 'silent' }, 'tool');
  try {
    const roles = await openSignerRoles(service.config);
    const states = await Promise.all(roles.map((role) => lookAt(runtime, role)));
    const asText = (_name: string, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value;
    const text = values.json ? JSON.stringify(states, asText, 2) : states.map(describe).join('\n');
    process.stdout.write(`${text}\n`);
    process.exitCode = states.every(isWell) ? EXIT.stopped : EXIT.failed;
  } finally {
    await closeRuntime(runtime);
    await service.release();
  }
}

await runMain('Showing the keys', main);
process.exit();
