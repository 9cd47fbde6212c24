import { type Address, isAddressEqual, zeroAddress } from 'viem';
import {
  balanced,
  type LedgerAccount,
  type LedgerAsset,
  type LedgerLine,
} from '../ledger/ledger.ts';

export type Movement = { asset: LedgerAsset; from: Address; to: Address; amountMicros: bigint };

/** The contracts' logs about money that no order's posting covers. Amounts are positive. */
export type ContractEntry =
  | { kind: 'redeemed'; usdcMicros: bigint }
  /** As much of both assets for as many dollars, from the vault's earnings or the treasury. */
  | { kind: 'merged'; assets: LedgerAsset[]; contractMicros: bigint; byTreasury: boolean }
  | { kind: 'credited' | 'claimed'; asset: LedgerAsset; amountMicros: bigint }
  /** An order that the service did not create, locked or refunded. */
  | { kind: 'foreign_order' };

export type Places = {
  vault: Address;
  /** Keeps the collateral of settled markets. */
  settlement: Address;
  /** The wallet that receives the vault's earnings and provides missing collateral. */
  treasury: Address;
  /** Whether the ledger follows the USDC of an account. It follows outcome tokens everywhere. */
  follows: (account: Address) => boolean;
};

/** Vault and settlement count as one place: the ledger separates their money by its owner. */
type Place = LedgerAccount | 'contracts';

/**
 * What a transaction moved beyond the postings of our own orders: plain transfers, redemptions, and
 * payments diverted because a receiver refused them. Together with those postings, the lines match
 * every account's change on chain exactly.
 */
export function unexplainedLines(
  movements: readonly Movement[],
  ownLines: readonly LedgerLine[],
  entries: readonly ContractEntry[],
  places: Places,
): LedgerLine[] {
  const sums = new Map<LedgerAsset, Map<Place, bigint>>();
  const add = (asset: LedgerAsset, place: Place, amountMicros: bigint) => {
    const ofAsset = sums.get(asset) ?? new Map<Place, bigint>();
    ofAsset.set(place, (ofAsset.get(place) ?? 0n) + amountMicros);
    sums.set(asset, ofAsset);
  };
  for (const movement of movements) {
    add(movement.asset, placeOf(movement.from, movement.asset, places), -movement.amountMicros);
    add(movement.asset, placeOf(movement.to, movement.asset, places), movement.amountMicros);
  }
  for (const line of ownLines) add(line.asset, insideContracts(line.account), -line.amountMicros);
  for (const [asset, account, amountMicros] of reasonsInContracts(movements, entries, places)) {
    add(asset, 'contracts', -amountMicros);
    add(asset, account, amountMicros);
  }
  for (const [asset, amountMicros] of nettedBy(entries)) {
    add(asset, 'treasury', -amountMicros);
    add(asset, 'netted', amountMicros);
  }
  const rest: LedgerAccount = entries.some((entry) => entry.kind === 'foreign_order')
    ? 'escrow'
    : 'unassigned';
  const lines = [...sums].flatMap(([asset, ofAsset]) =>
    [...ofAsset].map(([place, amountMicros]) => ({
      asset,
      account: place === 'contracts' ? rest : place,
      amountMicros,
    })),
  );
  return balanced(lines);
}

function placeOf(address: Address, asset: LedgerAsset, places: Places): Place {
  const { vault, settlement } = places;
  if ([vault, settlement].some((ours) => isAddressEqual(address, ours))) return 'contracts';
  if (asset === 'usdc') return places.follows(address) ? `user:${address}` : 'outside';
  return isAddressEqual(address, zeroAddress) ? 'treasury' : `user:${address}`;
}

/** Ledger accounts that share one place on chain. */
function insideContracts(account: LedgerAccount): Place {
  return account === 'escrow' || account === 'house' || account === 'collateral'
    ? 'contracts'
    : account;
}

/** Known reasons for a change of the contracts' balance: per asset, the owner and the amount. */
function reasonsInContracts(
  movements: readonly Movement[],
  entries: readonly ContractEntry[],
  places: Places,
): [LedgerAsset, LedgerAccount, bigint][] {
  const reasons: [LedgerAsset, LedgerAccount, bigint][] = [];
  for (const { asset, from, to, amountMicros } of movements) {
    if (asset !== 'usdc') continue;
    const isPull = isAddressEqual(from, places.treasury) && isAddressEqual(to, places.vault);
    const isSweep = isAddressEqual(from, places.vault) && isAddressEqual(to, places.treasury);
    if (isPull) reasons.push([asset, 'house', amountMicros]);
    if (isSweep) reasons.push([asset, 'house', -amountMicros]);
  }
  for (const entry of entries) {
    if (entry.kind === 'redeemed') reasons.push(['usdc', 'collateral', -entry.usdcMicros]);
    if (entry.kind === 'merged' && !entry.byTreasury) {
      reasons.push(['usdc', 'house', -entry.contractMicros]);
    }
    if (entry.kind === 'credited') reasons.push([entry.asset, 'claimable', entry.amountMicros]);
    if (entry.kind === 'claimed') reasons.push([entry.asset, 'claimable', -entry.amountMicros]);
  }
  return reasons;
}

/** Burnt as pairs: the contracts behind them back no token any more. */
function nettedBy(entries: readonly ContractEntry[]): [LedgerAsset, bigint][] {
  return entries.flatMap((entry) =>
    entry.kind === 'merged'
      ? entry.assets.map((asset): [LedgerAsset, bigint] => [asset, entry.contractMicros])
      : [],
  );
}
