import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import type { Abi } from 'viem';
import { formatAbiModule, formatBytecodeModule } from '#contracts/artefact.ts';

/**
 * Compiles contracts/src with the solc of node_modules and writes contracts/abi and
 * contracts/bytecode, which are committed: running the product needs no compiler. `--check` writes
 * nothing and fails when the committed files differ from the compiled sources.
 */

const contracts = [
  ['OutcomeToken', 'outcomeToken'],
  ['Settlement', 'settlement'],
  ['SwapVault', 'swapVault'],
  ['TradingAccount', 'tradingAccount'],
  ['TradingAccountFactory', 'tradingAccountFactory'],
  ['PasskeyWallet', 'passkeyWallet'],
  ['PasskeyWalletFactory', 'passkeyWalletFactory'],
  ['TestUsdc', 'testUsdc'],
  ['BatchingWallet', 'batchingWallet'],
  ['TestGasPriceOracle', 'testGasPriceOracle'],
] as const;

/** The contracts that we deploy; these deploy the others. */
const deployable = new Set([
  'SwapVault',
  'TestUsdc',
  'TradingAccountFactory',
  'PasskeyWalletFactory',
  'BatchingWallet',
  'TestGasPriceOracle',
]);

const settings = {
  optimizer: { enabled: true, runs: 100_000 },
  viaIR: true,
  evmVersion: 'cancun',
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: {
    '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] },
  },
};

interface SolcContract {
  abi: Abi;
  evm: { bytecode: { object: string }; deployedBytecode: { object: string } };
}
interface SolcOutput {
  errors?: { severity: string; formattedMessage: string; sourceLocation?: { file: string } }[];
  contracts?: Record<string, Record<string, SolcContract>>;
}
interface Solc {
  version(): string;
  compile(
    input: string,
    callbacks: { import(path: string): { contents: string } | { error: string } },
  ): string;
}

const require = createRequire(import.meta.url);
const root = new URL('../', import.meta.url);

function readSource(path: string): { contents: string } | { error: string } {
  try {
    const file = path.startsWith('@') ? require.resolve(path) : new URL(path, root);
    return { contents: readFileSync(file, 'utf8') };
  } catch (error) {
    return { error: String(error) };
  }
}

function compile(): { version: string; output: SolcOutput } {
  const solc = require('solc') as Solc;
  const sources = Object.fromEntries(
    contracts.map(([name]) => {
      const path = `contracts/src/${name}.sol`;
      return [path, { content: readFileSync(new URL(path, root), 'utf8') }];
    }),
  );
  const input = JSON.stringify({ language: 'Solidity', sources, settings });
  const output = JSON.parse(solc.compile(input, { import: readSource })) as SolcOutput;
  return { version: solc.version(), output };
}

function main(): number {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const { version, output } = compile();
  const ours = (output.errors ?? []).filter(
    (error) => error.severity === 'error' || error.sourceLocation?.file.startsWith('contracts/'),
  );
  for (const error of ours) process.stderr.write(`${error.formattedMessage}\n`);
  if (ours.length > 0) return 1;

  process.stdout.write(`solc ${version}\n`);
  let stale = 0;
  for (const [name, file] of contracts) {
    const contract = output.contracts?.[`contracts/src/${name}.sol`]?.[name];
    if (contract === undefined) throw new Error(`the compiler returned no output for ${name}`);
    const size = contract.evm.deployedBytecode.object.length / 2;
    const texts = {
      abi: formatAbiModule(file, contract.abi),
      ...(deployable.has(name) && {
        bytecode: formatBytecodeModule(file, contract.evm.bytecode.object),
      }),
    };
    for (const [folder, text] of Object.entries(texts)) {
      const target = new URL(`contracts/${folder}/${file}.ts`, root);
      if (!values.check) writeFileSync(target, text);
      else if (readCommitted(target) !== text) {
        stale += 1;
        process.stderr.write(`contracts/${folder}/${file}.ts does not match ${name}.sol\n`);
      }
    }
    if (!values.check) process.stdout.write(`${name}  ${size} bytes of code\n`);
  }
  if (stale > 0) process.stderr.write('Compile the contracts and commit the result.\n');
  return stale > 0 ? 1 : 0;
}

function readCommitted(file: URL): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

process.exitCode = main();
