import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  decodeErrorResult,
  getAddress,
  type Hex,
  http,
  isAddress,
  isHex,
  type PublicClient,
  zeroAddress,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { settlementAbi } from '#contracts/abi/settlement.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import {
  acceptTreasuryCall,
  capsCall,
  finalizeCall,
  grantRoleCall,
  pauseCall,
  proposeCall,
  registerCall,
  revokeRoleCall,
  unpauseCall,
  VAULT_ROLES,
  type VaultCall,
  type VaultRole,
  vetoCall,
} from '#contracts/deployment/vaultCalls.ts';
import { readVaultState, type VaultState } from '#contracts/deployment/vaultState.ts';
import { formatMicros } from '#lib/money.ts';
import { marketKeyOf } from '#lib/outcomeToken.ts';
import { vaultCreations } from '#lib/vaultCreations.ts';
import { StartProblem } from '#sandbox/problem.ts';
import { loadSecrets } from '#sandbox/secrets.ts';
import { chosenDataDir, dataFolderAt } from '#sandbox/stack/dataFolder.ts';
import { readDescription } from '#sandbox/stack/description.ts';
import { MARKET_STATES } from '#server/domain/settlement/settlementCall.ts';
import { bold, dim, green, red, reportFailure } from './terminal.ts';

const USAGE = `Vault actions that require a role: npm run vault -- <command> [options]
  status                        pause, roles and who holds them, caps and delays
  market <ticker>               settlement state of a market
  pause                         stop new orders and fills; refunds, payouts and withdrawals continue
  unpause
  grant <role> <address>        ADMIN, OPERATOR, ATTESTOR, RESOLVER, PAUSER or TREASURY
  revoke <role> <address>       PAUSER can revoke OPERATOR, ATTESTOR and RESOLVER
  accept-treasury               the holder of TREASURY becomes the payer
  propose <ticker> <payoutYes>  what a contract of YES pays, 0 to 1; NO pays the rest
  caps <mint> <payout> <settlement>
                                dollars an hour that buyers pay, sells are paid, settlements set aside
  register <ticker>             register this market; only registered markets can be settled
  veto <ticker>                 withdraw a proposal, until it is final
  finalize <ticker>             open the payout after the delay; not by the proposer
Without a key, prints the transaction for a multisig. With a key, sends it:
  --key-file <file>             a file with the 0x private key of the role holder
  --as admin|resolver           the sandbox's own
The vault is the one of CHAIN_RPC_URL and SWAP_VAULT_ADDRESS, or of the sandbox in --data <folder>.
--from-block <n>   first block to scan for roles: the deployment block
--json for programs.`;

type Options = ReturnType<typeof readOptions>;
type Vault = { rpcUrl: string; address: Address; secrets: string | undefined };

function readOptions() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        'key-file': { type: 'string' },
        as: { type: 'string' },
        'from-block': { type: 'string', default: '0' },
        data: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    return { ...values, positionals };
  } catch (error) {
    throw new StartProblem(error instanceof Error ? error.message : String(error), USAGE);
  }
}

const environmentSchema = z.object({
  CHAIN_RPC_URL: z.url(),
  SWAP_VAULT_ADDRESS: z.string().refine((text): text is Address => isAddress(text)),
});

function vaultOf(options: Options): Vault {
  const given = environmentSchema.safeParse(process.env);
  if (given.success) {
    const { CHAIN_RPC_URL: rpcUrl, SWAP_VAULT_ADDRESS: address } = given.data;
    return { rpcUrl, address, secrets: undefined };
  }
  const folder = dataFolderAt(chosenDataDir(options.data));
  const running = readDescription(folder.description);
  if (!running) {
    throw new StartProblem(
      `No sandbox is running on ${folder.root}.`,
      'Start it with npm start, or set CHAIN_RPC_URL and SWAP_VAULT_ADDRESS.',
    );
  }
  return { rpcUrl: running.rpcUrl, address: running.contracts.swapVault, secrets: folder.secrets };
}

function callOf([command, first, second, third]: string[]): VaultCall | undefined {
  const ticker = () => needed(first, 'a ticker');
  switch (command) {
    case 'pause':
      return pauseCall();
    case 'unpause':
      return unpauseCall();
    case 'grant':
      return grantRoleCall(roleOf(first), addressOf(second));
    case 'revoke':
      return revokeRoleCall(roleOf(first), addressOf(second));
    case 'accept-treasury':
      return acceptTreasuryCall();
    case 'propose':
      return proposeCall(ticker(), needed(second, 'what YES pays'));
    case 'caps':
      return capsCall(
        needed(first, 'what buyers may pay an hour'),
        needed(second, 'what sells may be paid an hour'),
        needed(third, 'what settlements may set aside an hour'),
      );
    case 'register':
      return registerCall(ticker());
    case 'veto':
      return vetoCall(ticker());
    case 'finalize':
      return finalizeCall(ticker());
    default:
      return undefined;
  }
}

function needed(text: string | undefined, what: string): string {
  if (text === undefined) throw new StartProblem(`The command needs ${what}.`, USAGE);
  return text;
}

function roleOf(text: string | undefined): VaultRole {
  const role = VAULT_ROLES.find((one) => one === text?.toUpperCase());
  if (!role) throw new StartProblem(`“${text}” is not a role.`, VAULT_ROLES.join(', '));
  return role;
}

function addressOf(text: string | undefined): Address {
  if (text === undefined || !isAddress(text)) {
    throw new StartProblem(`“${text}” is not an address.`, USAGE);
  }
  return getAddress(text);
}

async function keyOf(options: Options, vault: Vault): Promise<Hex | undefined> {
  const file = options['key-file'];
  if (file !== undefined) {
    const key = readFileSync(file, 'utf8').trim();
    if (isHex(key) && key.length === 66) return key;
    throw new StartProblem(`${file} contains no 0x private key of 32 bytes.`, USAGE);
  }
  if (options.as === undefined) return undefined;
  if (vault.secrets === undefined) {
    throw new StartProblem('--as is for the sandbox only.', 'Use --key-file, or a multisig.');
  }
  const { chain } = await loadSecrets(vault.secrets);
  if (options.as === 'admin') return chain.admin;
  if (options.as === 'resolver') return chain.resolver;
  throw new StartProblem(`The sandbox has no key “${options.as}”.`, USAGE);
}

type Reply = { data: unknown; lines: string[] };

async function describe(client: PublicClient, vault: Vault, fromBlock: string): Promise<Reply> {
  const state = await readVaultState(client, vault.address, BigInt(fromBlock));
  return { data: state, lines: stateLines(vault, state) };
}

function stateLines(vault: Vault, state: VaultState): string[] {
  const paused = state.isPaused ? red('paused: no new orders, no fills') : green('open');
  return [
    `${bold(vault.address)}  ${paused}`,
    // The treasury's role is an invitation, usually without a holder.
    ...VAULT_ROLES.filter((role) => role !== 'TREASURY' || state.roles[role].length > 0).map(
      (role) => `  ${role.padEnd(9)} ${state.roles[role].join(' ') || red('none')}`,
    ),
    `  settlement ${state.settlement}`,
    `  treasury  ${state.treasury === zeroAddress ? red('none') : state.treasury}`,
    dim(
      `  settlement delay ${state.settlementDelaySeconds} s, backing counts ${state.maxBackingAgeSeconds} s`,
    ),
    dim(
      `  USDC an hour: ${formatMicros(state.mintPerHourMicros)} from buyers, ${formatMicros(state.payoutPerHourMicros)} for sells, ${formatMicros(state.settlementPerHourMicros)} for settlements`,
    ),
  ];
}

async function describeMarket(client: PublicClient, vault: Vault, ticker: string): Promise<Reply> {
  const [payoutYes, payoutNo, finalizableAt, state] = await client.readContract({
    address: vaultCreations(vault.address).settlement,
    abi: settlementAbi,
    functionName: 'markets',
    args: [marketKeyOf(ticker)],
  });
  const name = MARKET_STATES[state] ?? 'unknown';
  const at = new Date(Number(finalizableAt) * 1000).toISOString();
  const pays = `YES pays ${formatMicros(BigInt(payoutYes))}, NO ${formatMicros(BigInt(payoutNo))}`;
  const data = {
    ticker,
    state: name,
    payoutYes: formatMicros(BigInt(payoutYes)),
    finalizableAt: at,
  };
  const detail =
    name === 'open' || name === 'unregistered' ? '' : `  ${pays}, can be made final from ${at}`;
  return { data, lines: [`${bold(ticker)}  ${name}${detail}`] };
}

function targetOf(vault: Vault, call: VaultCall): Address {
  return call.to === 'vault' ? vault.address : vaultCreations(vault.address).settlement;
}

async function send(client: PublicClient, vault: Vault, call: VaultCall, key: Hex): Promise<Reply> {
  const account = privateKeyToAccount(key);
  const request = { account, to: targetOf(vault, call), data: call.data };
  await client.call(request).catch((error: unknown) => {
    throw new StartProblem(
      `The ${call.to} refuses to ${call.label}: ${refusalOf(error)}`,
      mayOnly(call),
    );
  });
  const wallet = createWalletClient({ account, transport: http(vault.rpcUrl) });
  const hash = await wallet.sendTransaction({ ...request, chain: null });
  const receipt = await client.waitForTransactionReceipt({ hash });
  if (receipt.status !== 'success') {
    throw new StartProblem(`The transaction ${hash} was reverted.`, 'Check it and try again.');
  }
  return { data: { hash, label: call.label }, lines: [`${green('●')} ${call.label}: ${hash}`] };
}

function mayOnly(call: VaultCall): string {
  return call.senders.length === 0
    ? 'npm run vault -- market <ticker> shows its state.'
    : `Only ${call.senders.join(' or ')} can do this; npm run vault -- status lists the holders.`;
}

function refusalOf(error: unknown): string {
  if (!(error instanceof BaseError)) return String(error);
  const reverted = error.walk((cause) => cause instanceof ContractFunctionRevertedError);
  if (reverted instanceof ContractFunctionRevertedError && reverted.data) {
    return reverted.data.errorName;
  }
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if ('data' in cause && isHex(cause.data)) {
      return decodeErrorResult({ abi: [...swapVaultAbi, ...settlementAbi], data: cause.data })
        .errorName;
    }
  }
  return error.shortMessage;
}

function print(vault: Vault, call: VaultCall): Reply {
  const { data, label, senders } = call;
  const to = targetOf(vault, call);
  return {
    data: { to, value: '0', data, label, senders },
    lines: [
      `To ${bold(label)}, send as ${senders.join(' or ') || 'anyone'}:`,
      `  to     ${to}`,
      '  value  0',
      `  data   ${data}`,
    ],
  };
}

async function run(options: Options): Promise<Reply | undefined> {
  const [command, first] = options.positionals;
  const call = callOf(options.positionals);
  if (options.help || (!call && command !== 'status' && command !== 'market')) return undefined;
  const vault = vaultOf(options);
  const client = createPublicClient({ transport: http(vault.rpcUrl), pollingInterval: 250 });
  if (command === 'status') return await describe(client, vault, options['from-block']);
  if (command === 'market') return await describeMarket(client, vault, needed(first, 'a ticker'));
  const key = await keyOf(options, vault);
  if (!call) return undefined;
  return key === undefined ? print(vault, call) : await send(client, vault, call, key);
}

const textOf = (_key: string, value: unknown) =>
  typeof value === 'bigint' ? value.toString() : value;

try {
  const options = readOptions();
  const response = await run(options);
  if (response) {
    const { data, lines } = response;
    process.stdout.write(`${options.json ? JSON.stringify(data, textOf, 2) : lines.join('\n')}\n`);
  } else {
    process.stdout.write(`${USAGE}\n`);
    if (!options.help) process.exitCode = 1;
  }
} catch (error) {
  reportFailure(error);
  process.exit(1);
}
