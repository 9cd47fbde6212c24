import { sameAddress } from '#lib/format/address.ts';
import { namesCurrency, readAmountMicros } from '#lib/format/amountInput.ts';
import { contractsOfExact } from '#lib/format/contractsOf.ts';
import { dollarsDown, dollarsExact } from '#lib/format/money.ts';
import { type PositionName, positionName } from '#lib/market/outcomeName.ts';
import { costMicros } from '#lib/money.ts';
import { sortPositions } from '#lib/portfolio/positionOrder.ts';
import type { PositionView } from '#lib/portfolio/positionView.ts';
import { isAddress } from './addressBook.ts';

/** A withdrawable asset: cash, or the tokens of one outcome. */
export type WithdrawAsset =
  | { kind: 'usdc'; availableMicros: bigint }
  | {
      kind: 'outcome';
      tokenId: string;
      name: PositionName;
      availableMicros: bigint;
      /** The value of one contract; null without a price. */
      priceMicros: bigint | null;
    };

/** The withdrawable assets: cash, then positions from the most valuable. */
export function withdrawAssets(
  usdcMicros: bigint,
  positions: readonly PositionView[],
): [WithdrawAsset, ...WithdrawAsset[]] {
  const held = positions.filter((position) => position.contractMicros > 0n);
  return [
    { kind: 'usdc', availableMicros: usdcMicros },
    ...sortPositions(held, { sort: 'value', order: 'desc' }).map((position) => ({
      kind: 'outcome' as const,
      tokenId: position.tokenId,
      name: positionName(position),
      availableMicros: position.contractMicros,
      priceMicros: position.isUnpriced ? null : position.priceMicros,
    })),
  ];
}

/** Whether two assets are the same, regardless of their balances. */
export function sameAsset(a: WithdrawAsset, b: WithdrawAsset): boolean {
  if (a.kind === 'outcome' && b.kind === 'outcome') return a.tokenId === b.tokenId;
  return a.kind === b.kind;
}

/** The current balance of the chosen asset; none once it is sold, redeemed or gone. */
export function currentAsset(
  assets: readonly WithdrawAsset[],
  chosen: WithdrawAsset,
): WithdrawAsset {
  return assets.find((asset) => sameAsset(asset, chosen)) ?? { ...chosen, availableMicros: 0n };
}

export type DestinationContext = {
  destination: string;
  /** Whether the address's checksum is valid; undefined until that is known. */
  hasFittingCase: boolean | undefined;
  smartAccount: string;
  contracts: readonly string[];
};

export type WithdrawContext = DestinationContext & {
  amountText: string;
  asset: WithdrawAsset;
};

export type WithdrawProblem =
  | 'amount_missing'
  | 'amount_invalid'
  | 'amount_not_contracts'
  | 'amount_too_large'
  | 'destination_missing'
  | 'destination_unresolved'
  | 'destination_invalid'
  | 'destination_own_account'
  | 'destination_contract'
  | 'destination_checksum'
  | 'destination_zero';

/** A name that resolves to an address, such as anna.base.eth; the service looks it up. */
export function isName(text: string): boolean {
  return /^[^\s.]+(\.[^\s.]+)+$/.test(text) && !text.startsWith('0x');
}

const ZERO = '0x0000000000000000000000000000000000000000';

/** Reads the amount; undefined when it is invalid. */
export function withdrawAmountMicros(text: string): bigint | undefined {
  return readAmountMicros(text);
}

/** "$25.00 USDC" or "3.5 contracts", with every digit: it is what moves. */
export function amountWords(asset: WithdrawAsset, micros: bigint): string {
  return asset.kind === 'usdc' ? `${dollarsExact(micros)} USDC` : contractsOfExact(micros);
}

/** "$2.35", or "No price". */
export function valueWords(asset: WithdrawAsset, micros: bigint): string {
  if (asset.kind === 'usdc') return dollarsDown(micros);
  if (asset.priceMicros === null) return 'No price';
  return dollarsDown(costMicros(micros, asset.priceMicros, 'down'));
}

/** The first problem that blocks the withdrawal; undefined when there is none. */
export function withdrawProblem(context: WithdrawContext): WithdrawProblem | undefined {
  const amount = withdrawAmountMicros(context.amountText);
  if (context.amountText.trim() === '' || amount === 0n) return 'amount_missing';
  if (amount === undefined) return 'amount_invalid';
  if (context.asset.kind === 'outcome' && namesCurrency(context.amountText)) {
    return 'amount_not_contracts';
  }
  if (amount > context.asset.availableMicros) return 'amount_too_large';
  return destinationProblem(context);
}

/** Why the address cannot receive it; undefined when it can. */
export function destinationProblem(context: DestinationContext): WithdrawProblem | undefined {
  const destination = context.destination.trim();
  if (destination === '') return 'destination_missing';
  if (isName(destination)) return 'destination_unresolved';
  if (!isAddress(destination)) return 'destination_invalid';
  if (context.hasFittingCase === false) return 'destination_checksum';
  if (sameAddress(destination, ZERO)) return 'destination_zero';
  if (sameAddress(destination, context.smartAccount)) return 'destination_own_account';
  if (context.contracts.some((address) => sameAddress(destination, address))) {
    return 'destination_contract';
  }
  return undefined;
}

export const WITHDRAW_WORDS: Record<WithdrawProblem, string> = {
  amount_missing: 'Enter an amount',
  amount_invalid: 'Enter a number with up to six decimals',
  amount_not_contracts: 'Enter a number of contracts',
  amount_too_large: 'Insufficient balance',
  destination_missing: 'Enter a destination',
  destination_unresolved: 'Looking up the name',
  destination_invalid: 'Enter a 0x address or an ENS name',
  destination_checksum: 'Check the address for typos',
  destination_zero: 'This is the zero address; funds would be lost',
  destination_own_account: 'This is your own smart account',
  destination_contract: 'This is a Crossbook contract; funds would be lost',
};
