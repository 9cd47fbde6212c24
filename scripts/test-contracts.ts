import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { passkeyWalletFactoryBytecode } from '#contracts/bytecode/passkeyWalletFactory.ts';
import { swapVaultBytecode } from '#contracts/bytecode/swapVault.ts';
import { testUsdcBytecode } from '#contracts/bytecode/testUsdc.ts';
import { tradingAccountFactoryBytecode } from '#contracts/bytecode/tradingAccountFactory.ts';

/**
 * Runs the contracts' tests with forge and the compiler from npm, offline. `--long` tests the very
 * bytecode that is committed and deployed, with at least half a million invariant calls; further
 * arguments go to forge.
 */

const root = fileURLToPath(new URL('../', import.meta.url));
const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
const forge = createRequire(import.meta.url).resolve(
  `@foundry-rs/forge-${process.platform}-${architecture}/bin/forge${process.platform === 'win32' ? '.exe' : ''}`,
);

const [first, ...rest] = process.argv.slice(2);
const isLong = first === '--long';
const passedOn = isLong ? rest : process.argv.slice(2);

/** The committed bytecode in the form in which forge reads it. */
function writeCommittedCode(): string {
  const folder = 'contracts/out/committed';
  mkdirSync(join(root, folder), { recursive: true });
  for (const [name, object] of Object.entries({
    SwapVault: swapVaultBytecode,
    PasskeyWalletFactory: passkeyWalletFactoryBytecode,
    TestUsdc: testUsdcBytecode,
    TradingAccountFactory: tradingAccountFactoryBytecode,
  })) {
    writeFileSync(join(root, folder, `${name}.json`), JSON.stringify({ bytecode: { object } }));
  }
  return folder;
}

const run = spawnSync(forge, ['test', '--root', root, ...passedOn], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    // The compiler's shim starts the Node that runs this script.
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`,
    FOUNDRY_CONFIG: `${root}contracts/foundry.toml`,
    FOUNDRY_PROFILE: isLong ? 'long' : 'default',
    ...(isLong && { COMMITTED_CODE: writeCommittedCode() }),
  },
});
if (run.error) throw run.error;
process.exitCode = run.status ?? 1;
