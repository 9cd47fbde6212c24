import { encodeAbiParameters, type Hex, keccak256, numberToHex, stringToBytes } from 'viem';

/** The side of a market as the contracts number it. */
export const OUTCOME_INDEX = { yes: 0, no: 1 } as const;

export type OutcomeSide = keyof typeof OUTCOME_INDEX;

/** Distinguishes the market ids of different exchanges on chain. */
export const VENUE_ID = keccak256(stringToBytes('kalshi'));

/** The contracts' id of a market: the hash of the exchange's ticker. */
export function marketKeyOf(ticker: string): Hex {
  return keccak256(stringToBytes(ticker));
}

/** The ERC-1155 id of one side of a market, as `SwapVault.tokenIdOf` computes it. */
export function outcomeTokenId(ticker: string, side: OutcomeSide): bigint {
  return outcomeTokenIdOfKey(marketKeyOf(ticker), OUTCOME_INDEX[side]);
}

/** The same, for a market and side in the contracts' form. */
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

/** The id as 0x and 64 hex digits: the form that is stored and published. */
export function tokenIdHex(tokenId: bigint): Hex {
  return numberToHex(tokenId, { size: 32 });
}
