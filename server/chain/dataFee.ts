import {
  type Address,
  type Hex,
  parseAbi,
  serializeTransaction,
  type TransactionReceipt,
} from 'viem';
import type { Chain } from './client.ts';

/** The predeploy of Base, and of every OP chain, that knows the fee for a transaction's bytes. */
export const GAS_PRICE_ORACLE: Address = '0x420000000000000000000000000000000000000F';

const oracleAbi = parseAbi(['function getL1Fee(bytes unsigned) view returns (uint256)']);

/** As long as the real ones: only their bytes count. */
const LIKELY = {
  type: 'eip1559',
  nonce: 1_000_000,
  maxFeePerGas: 1_111_111_111n,
  maxPriorityFeePerGas: 1_111_111_111n,
} as const;

/**
 * What a transaction with this call pays in wei for its bytes on Ethereum, beside its gas on Base: at
 * times the larger part.
 */
export async function readDataFee(
  { id: chainId, client }: Pick<Chain, 'id' | 'client'>,
  { to, data, gas }: { to: Address; data: Hex; gas: bigint },
): Promise<bigint> {
  return await client.readContract({
    address: GAS_PRICE_ORACLE,
    abi: oracleAbi,
    functionName: 'getL1Fee',
    args: [serializeTransaction({ ...LIKELY, chainId, to, data, gas })],
  });
}

/** A receipt as the node sends it; one of a chain without data fees names none. */
export type FeeReceipt = Pick<TransactionReceipt, 'gasUsed' | 'effectiveGasPrice'> & {
  l1Fee?: Hex | bigint | null;
};

/** What a mined transaction has paid in wei, for gas and bytes. */
export function paidWei({ gasUsed, effectiveGasPrice, l1Fee }: FeeReceipt): bigint {
  return gasUsed * effectiveGasPrice + BigInt(l1Fee ?? 0);
}
