import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '#sandbox/environment.ts';

/** The environment files of a deployment's programs, as docs/DEPLOYMENT.md describes them. */
const FILES: Record<string, readonly string[]> = {
  'common.env': [
    'SANDBOX',
    'SANDBOX_NAMES',
    'CHAIN_RPC_URL',
    'CHAIN_ID',
    'USDC_ADDRESS',
    'OUTCOME_TOKEN_ADDRESS',
    'SWAP_VAULT_ADDRESS',
    'ACCOUNT_FACTORY_ADDRESS',
    'PASSKEY_FACTORY_ADDRESS',
    'VENUE_URL',
    'VENUE_WS_URL',
    'EXCHANGE_SIGNATURE_TOLERANCE_SECONDS',
    'EXCHANGE_ABSENCE_SECONDS',
  ],
  'web.env': [
    'JWT_SIGNING_KEYS',
    'PUBLISHABLE_KEY',
    'SAVED_ITEMS_KEYS',
    'FAUCET_PRIVATE_KEY',
    'VAPID_PUBLIC_KEY',
    'RELAY_USD_PER_HOUR',
    'RELAY_USD_PER_ACCOUNT',
  ],
  'processor.env': [
    'OPERATOR_PRIVATE_KEYS',
    'RELAYER_PRIVATE_KEY',
    'VENUE_KEY_ID',
    'VENUE_PRIVATE_KEY',
    'UNWIND_MAX_LOSS_CENTS',
    'EXCHANGE_SHARDS',
  ],
  'notifications.env': ['VAPID_PRIVATE_KEY'],
  'attestor.env': ['ATTESTOR_PRIVATE_KEY'],
  'resolver.env': ['RESOLVER_PRIVATE_KEY'],
};

/** Writes the files, readable only by their owner; a shell, systemd and Node parse them alike. */
export function writeServiceEnvironment(folder: string, environment: Environment): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [file, names] of Object.entries(FILES)) {
    const lines = names.flatMap((name) => {
      const value = environment[name]?.replaceAll('\n', '\\n');
      return value ? [`${name}='${value}'\n`] : [];
    });
    writeFileSync(join(folder, file), lines.join(''), { mode: 0o600 });
  }
}
