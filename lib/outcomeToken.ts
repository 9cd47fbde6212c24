import { encodeAbiParameters, type Hex, keccak256, numberToHex, stringToBytes } from 'viem';

/** The side of a market as the contracts number it. */
export const OUTCOME_INDEX = { yes: 0, no: 1 } as const;

export type OutcomeSide = keyof typeof OUTCOME_INDEX;

/** Distinguishes one exchange's market ids from another's on chain. */
export const VENUE_ID = keccak256(stringToBytes('kalshi'));

/** How the contracts name a market: the hash of the exchange's ticker. */
export function marketKeyOf(ticker: string): Hex {
  return keccak256(stringToBytes(ticker));
}

/** The ERC-1155 id of one side of a market, as `SwapVault.tokenIdOf` computes it. */
export function outcomeTokenId(ticker: string, side: OutcomeSide): bigint {
  return outcomeTokenIdOfKey(marketKeyOf(ticker), OUTCOME_INDEX[side]);
}

/** The same, for a market and side as the contracts name them. */
export function outcomeTokenIdOfKey(marketKey: Hex, outcome: number): bigint {
  return BigInt(
    keccak256(
      encodeAbiParameters(
        [{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'uint8' }],
        [VENUE_ID, marketKey, outcome],
      ),
    ),
  );
}

/** The id as 0x and 64 hex digits: the form stored and answered. */
export function tokenIdHex(tokenId: bigint): Hex {
  return numberToHex(tokenId, { size: 32 });
}
