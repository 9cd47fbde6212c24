import { type Address, erc20Abi, zeroAddress } from 'viem';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { minMicros } from '#lib/money.ts';
import { memoizeByObject } from '../platform/memoizeByObject.ts';
import { readKnownBlock, retryIfBehind } from './behind.ts';
import type { Chain } from './client.ts';

/** An hourly cap of the vault: its room at a block, and the whole cap. */
export type Bucket = { roomUsdcMicros: bigint; perHourUsdcMicros: bigint };

/** What the vault can deliver at one block. */
export type VaultRoom = {
  blockNumber: bigint;
  blockHash: string;
  /** The block's own time; the room has grown since. */
  at: Date;
  isPaused: boolean;
  /** For payments of buyers. */
  mint: Bucket;
  /** For payments to sellers. */
  payout: Bucket;
  /** Funds for payments to sellers: the vault's earnings, then the treasury's allowance. */
  fundsUsdcMicros: bigint;
};

const HOUR_MS = 3_600_000n;

/**
 * Reads the room at a block, by default the newest. The hash is read last, so that it reveals a
 * reorganisation meanwhile.
 */
export async function readVaultRoom(chain: Chain, blockNumber?: bigint): Promise<VaultRoom> {
  const at = blockNumber ?? (await chain.client.getBlockNumber({ cacheTime: 0 }));
  const room = await retryIfBehind(() => readAt(chain, at));
  const [, rooms, caps, accrued, isPaused, balance, allowance] = room;
  const block = await readKnownBlock(chain.client, at);
  return {
    blockNumber: at,
    blockHash: block.hash,
    at: new Date(Number(block.timestamp) * 1000),
    isPaused,
    mint: { roomUsdcMicros: rooms[0], perHourUsdcMicros: caps.mintPerHour },
    payout: { roomUsdcMicros: rooms[1], perHourUsdcMicros: caps.payoutPerHour },
    fundsUsdcMicros: accrued + minMicros(balance, allowance),
  };
}

/** The last known treasury: it rarely changes, so one request usually reads everything. */
const treasuryOf = memoizeByObject<Chain, { address: Address }>(() => ({ address: zeroAddress }));

async function readAt(chain: Chain, blockNumber: bigint) {
  const last = treasuryOf(chain);
  for (;;) {
    const responses = await readOf(chain, blockNumber, last.address);
    const [treasury] = responses;
    if (treasury === last.address) return responses;
    last.address = treasury;
  }
}

async function readOf(chain: Chain, blockNumber: bigint, treasury: Address) {
  const { usdc, swapVault } = chain.contracts;
  const vault = { address: swapVault, abi: swapVaultAbi } as const;
  const money = { address: usdc, abi: erc20Abi } as const;
  return await chain.client.multicall({
    contracts: [
      { ...vault, functionName: 'treasury' },
      { ...vault, functionName: 'rooms' },
      { ...vault, functionName: 'parameters' },
      { ...vault, functionName: 'accrued' },
      { ...vault, functionName: 'paused' },
      { ...money, functionName: 'balanceOf', args: [treasury] },
      { ...money, functionName: 'allowance', args: [treasury, swapVault] },
    ],
    allowFailure: false,
    deployless: true,
    blockNumber,
    batchSize: 0,
  });
}

/** A cap's room at a moment after its block: it grows by the whole cap per hour. */
export function roomOf(bucket: Bucket, blockTime: Date, at: Date): bigint {
  const elapsedMs = BigInt(Math.max(0, at.getTime() - blockTime.getTime()));
  const leaked = (bucket.perHourUsdcMicros * elapsedMs) / HOUR_MS;
  return minMicros(bucket.perHourUsdcMicros, bucket.roomUsdcMicros + leaked);
}

/** The most USDC that one order can ever be delivered for. */
export function largestDelivery(room: VaultRoom): Record<'buy' | 'sell', bigint> {
  return {
    buy: room.mint.perHourUsdcMicros,
    sell: minMicros(room.payout.perHourUsdcMicros, room.fundsUsdcMicros),
  };
}
