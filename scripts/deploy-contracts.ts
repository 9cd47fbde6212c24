import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { type Hex, isAddress, isHex, keccak256, toBytes } from 'viem';
import {
  type DeployInput,
  DeploymentError,
  deployContracts,
  dryRunDeployment,
} from '#contracts/deployment/deploy.ts';
import { parseMicros } from '#lib/money.ts';

const USAGE = `Deploys the contracts, or updates their roles and parameters. Safe to repeat.

  CHAIN_RPC_URL=… DEPLOYER_PRIVATE_KEY=0x… node scripts/deploy-contracts.ts \\
    --usdc 0x… --admin 0x… --operator 0x… --attestor 0x… --resolver 0x… --pauser 0x… \\
    --treasury 0x… --token-uri-base https://… [--dry-run]

  --operator, --attestor, --resolver, --pauser   can be repeated
  --usdc               an existing USDC; on a chain of this machine a test dollar is deployed without it
  --mint-per-hour      dollars that buyers may pay per hour         (default 100000)
  --payout-per-hour    dollars that sells may be paid per hour      (default 50000)
  --settlement-per-hour dollars that settlements may set aside per hour (default 250000)
  --settlement-delay   seconds between proposal and finality        (default 3600)
  --backing-age        seconds an attestation is good for           (default 900)
  --salt               text that, with the deployer, fixes the addresses (default "crossbook 1")
  --record             where the deployment record is written       (default deployments/8453.json)
  --dry-run            prints the transactions and sends nothing
`;

const many = { type: 'string', multiple: true, default: [] as string[] } as const;

function readOptions() {
  return parseArgs({
    options: {
      usdc: { type: 'string' },
      admin: { type: 'string' },
      treasury: { type: 'string' },
      operator: many,
      attestor: many,
      resolver: many,
      pauser: many,
      'token-uri-base': { type: 'string' },
      'mint-per-hour': { type: 'string', default: '100000' },
      'payout-per-hour': { type: 'string', default: '50000' },
      'settlement-per-hour': { type: 'string', default: '250000' },
      'settlement-delay': { type: 'string', default: '3600' },
      'backing-age': { type: 'string', default: '900' },
      salt: { type: 'string', default: 'crossbook 1' },
      record: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  }).values;
}

type Options = ReturnType<typeof readOptions>;

function deployInput(options: Options, environment: NodeJS.ProcessEnv): DeployInput {
  return {
    rpcUrl: required(environment.CHAIN_RPC_URL, 'CHAIN_RPC_URL'),
    deployerKey: privateKey(environment.DEPLOYER_PRIVATE_KEY),
    salt: keccak256(toBytes(options.salt)),
    ...(options.usdc !== undefined && { usdc: address(options.usdc, '--usdc') }),
    roles: {
      admin: address(options.admin, '--admin'),
      treasury: address(options.treasury, '--treasury'),
      operators: addresses(options.operator, '--operator'),
      attestors: addresses(options.attestor, '--attestor'),
      resolvers: addresses(options.resolver, '--resolver'),
      pausers: addresses(options.pauser, '--pauser'),
    },
    parameters: {
      mintUsdcMicrosPerHour: parseMicros(options['mint-per-hour']),
      payoutUsdcMicrosPerHour: parseMicros(options['payout-per-hour']),
      settlementUsdcMicrosPerHour: parseMicros(options['settlement-per-hour']),
      settlementDelaySeconds: seconds(options['settlement-delay'], '--settlement-delay'),
      maxBackingAgeSeconds: seconds(options['backing-age'], '--backing-age'),
      tokenUriBase: required(options['token-uri-base'], '--token-uri-base'),
    },
  };
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options.help) return void process.stdout.write(USAGE);
  const input = deployInput(options, process.env);
  if (options['dry-run']) {
    const plan = await dryRunDeployment(input);
    process.stdout.write(`${JSON.stringify(plan.addresses, null, 2)}\n`);
    for (const step of plan.steps) process.stdout.write(`would ${step.label}\n`);
    if (plan.steps.length === 0) process.stdout.write('Everything is as configured.\n');
    return;
  }
  const file = options.record ?? 'deployments/8453.json';
  const { sent, ...deployment } = await deployContracts({ ...input, recorded: readRecord(file) });
  for (const label of sent) process.stdout.write(`${label}\n`);
  writeRecord(file, {
    ...deployment,
    blockNumber: String(deployment.blockNumber),
    salt: options.salt,
    roles: input.roles,
  });
  process.stdout.write(`${sent.length} transactions sent; the record is ${file}\n`);
}

/** Unchanged facts leave the file as it is, so that repeating a deployment shows no difference. */
function writeRecord(file: string, record: Record<string, unknown>): void {
  const text = `${JSON.stringify(record, null, 2)}\n`;
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function readRecord(file: string): DeployInput['recorded'] {
  if (!existsSync(file)) return undefined;
  const record = JSON.parse(readFileSync(file, 'utf8')) as { swapVault: Hex; blockNumber: string };
  return { swapVault: record.swapVault, blockNumber: BigInt(record.blockNumber) };
}

function required(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new DeploymentError(`${name} is missing.`);
  return value;
}

function address(value: string | undefined, name: string): Hex {
  const text = required(value, name);
  if (!isAddress(text)) throw new DeploymentError(`${name}: ${text} is not an address.`);
  return text;
}

function addresses(values: readonly string[], name: string): Hex[] {
  if (values.length === 0) throw new DeploymentError(`${name} is missing.`);
  return values.map((value) => address(value, name));
}

function privateKey(value: string | undefined): Hex {
  const text = required(value, 'DEPLOYER_PRIVATE_KEY');
  if (!isHex(text) || text.length !== 66) {
    throw new DeploymentError('DEPLOYER_PRIVATE_KEY is not a private key of 32 bytes.');
  }
  return text;
}

function seconds(text: string, name: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new DeploymentError(`${name}: ${text} is not a whole number of seconds.`);
  return Number(text);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof DeploymentError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
