import { formatEther } from 'viem';
import { maxMicros } from '#lib/money.ts';
import { readCursor } from '../../chain/cursor.ts';
import { readVaultRoom } from '../../chain/vaultRoom.ts';
import { type Part, part, type ServiceDeps, shown } from './parts.ts';

/** The exchange limits requests, so our cash is read at most this often. */
const CASH_FRESH_MS = 60_000;
const BALANCE_FRESH_MS = 30_000;

/** Gauges from the chain and the exchange. */
export function externalParts(deps: ServiceDeps): Part[] {
  return [chainPart(deps), roomPart(deps), signersPart(deps), exchangePart(deps), cashPart(deps)];
}

/** Readers of the chain, by the names of their cursors. */
const READERS = ['contracts', 'transfers'] as const;

function chainPart({ chain, database }: ServiceDeps): Part {
  const head = shown('chain_head_block', 'The newest block the node knows.');
  const age = shown('chain_head_age_seconds', 'How old that block is.');
  const lag = shown('chain_read_lag_blocks', 'Blocks that a reader of the chain is behind.', [
    'reader',
  ]);
  const read = async () => {
    const block = await chain.client.getBlock();
    const settled = block.number - BigInt(chain.confirmations - 1);
    const lags = await Promise.all(
      READERS.map(async (reader) => {
        const cursor = await readCursor(database.orm, reader);
        const behind = settled - (cursor?.blockNumber ?? 0n);
        return { gauge: lag, labels: { reader }, value: Number(maxMicros(behind, 0n)) };
      }),
    );
    return [
      { gauge: head, value: Number(block.number) },
      { gauge: age, value: Math.max(0, Date.now() / 1000 - Number(block.timestamp)) },
      ...lags,
    ];
  };
  return part('chain', [head, age, lag], read);
}

function roomPart({ chain }: ServiceDeps): Part {
  const left = shown(
    'vault_room_usdc_micros',
    'What the vault could deliver now, in millionths: for mints, for sales, and what funds sales.',
    ['of'],
  );
  const cap = shown('vault_cap_usdc_micros', 'Its hourly caps.', ['of']);
  const read = async () => {
    const { mint, payout, fundsUsdcMicros } = await readVaultRoom(chain);
    return [
      { gauge: left, labels: { of: 'mint' }, value: Number(mint.roomUsdcMicros) },
      { gauge: left, labels: { of: 'payout' }, value: Number(payout.roomUsdcMicros) },
      { gauge: left, labels: { of: 'funds' }, value: Number(fundsUsdcMicros) },
      { gauge: cap, labels: { of: 'mint' }, value: Number(mint.perHourUsdcMicros) },
      { gauge: cap, labels: { of: 'payout' }, value: Number(payout.perHourUsdcMicros) },
    ];
  };
  return part('vault_room', [left, cap], read, BALANCE_FRESH_MS);
}

function signersPart({ chain, signers }: ServiceDeps): Part {
  const balance = shown('signer_balance_ether', 'Gas balance of a transaction key.', ['signer']);
  const read = async () =>
    await Promise.all(
      signers().map(async ({ name, address }) => ({
        gauge: balance,
        labels: { signer: name },
        value: Number(formatEther(await chain.client.getBalance({ address }))),
      })),
    );
  return part('signers', [balance], read, BALANCE_FRESH_MS);
}

function exchangePart({ exchange }: ServiceDeps): Part {
  const up = shown('exchange_up', 'Whether the exchange responds: 1 or 0.');
  const trading = shown('exchange_trading', 'Whether the exchange is trading: 1 or 0.');
  const shardTrading = shown(
    'exchange_shard_trading',
    'Whether a shard of the exchange is trading: 1 or 0.',
    ['shard'],
  );
  const read = async () => {
    const status = await exchange.getStatus().catch(() => undefined);
    const isTrading = status?.exchangeActive === true && status.tradingActive;
    return [
      { gauge: up, value: status ? 1 : 0 },
      { gauge: trading, value: isTrading ? 1 : 0 },
      ...(status?.shards ?? []).map(({ shard, tradingActive }) => ({
        gauge: shardTrading,
        labels: { shard: String(shard) },
        value: tradingActive ? 1 : 0,
      })),
    ];
  };
  return part('exchange', [up, trading, shardTrading], read);
}

function cashPart({ exchange }: ServiceDeps): Part {
  const cash = shown(
    'exchange_cash_usdc_micros',
    'Our cash at the exchange, in millionths of a dollar; exact up to nine billion.',
  );
  const shardCash = shown(
    'exchange_shard_cash_usdc_micros',
    'The same on one shard of the exchange.',
    ['shard'],
  );
  const read = async () => {
    const balances = await exchange.listBalances();
    return [
      { gauge: cash, value: Number(balances.reduce((sum, one) => sum + one.balanceMicros, 0n)) },
      ...balances.map(({ shard, balanceMicros }) => ({
        gauge: shardCash,
        labels: { shard: String(shard) },
        value: Number(balanceMicros),
      })),
    ];
  };
  return part('exchange_cash', [cash, shardCash], read, CASH_FRESH_MS);
}
