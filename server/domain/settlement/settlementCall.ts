import type { Hex } from 'viem';
import { z } from 'zod';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import type { Chain } from '../../chain/client.ts';
import type { OperationCall } from '../../chain/operations/encode.ts';
import type { ChainOperation } from '../../chain/operations/store.ts';

const argsSchema = z.object({
  ticker: z.string(),
  marketKey: z.string().transform((text) => text as Hex),
  payoutYesMicros: z.string().transform(BigInt),
  payoutNoMicros: z.string().transform(BigInt),
});

/** The stored arguments of a settlement operation. */
export type SettlementArgs = z.input<typeof argsSchema>;

/** The call of a stored `register`, `propose` or `finalize` operation. */
export function settlementCallOf(operation: ChainOperation): OperationCall {
  const { ticker, marketKey, ...payouts } = argsSchema.parse(operation.args);
  if (operation.kind === 'register') return { kind: 'register', ticker };
  return operation.kind === 'propose'
    ? { kind: 'propose', marketKey, ...payouts }
    : { kind: 'finalize', marketKey };
}

/** `state` of a market in the vault. */
export const MARKET_STATES = ['unregistered', 'open', 'proposed', 'settled'] as const;

/** The vault's current record of a market. */
export async function readVaultMarket(chain: Chain, marketKey: Hex) {
  const [payoutYes, payoutNo, , state] = await chain.client.readContract({
    address: chain.contracts.swapVault,
    abi: swapVaultAbi,
    functionName: 'markets',
    args: [marketKey],
  });
  return {
    state: MARKET_STATES[state] ?? 'unregistered',
    payoutYesMicros: BigInt(payoutYes),
    payoutNoMicros: BigInt(payoutNo),
  };
}

/**
 * Whether the vault holds exactly the proposal that a stored `finalize` refers to. Checked again
 * before signing: it may have been vetoed and replaced with a stolen key.
 */
export async function isProposed(chain: Chain, operation: ChainOperation): Promise<boolean> {
  const { marketKey, payoutYesMicros, payoutNoMicros } = argsSchema.parse(operation.args);
  const market = await readVaultMarket(chain, marketKey);
  return (
    market.state === 'proposed' &&
    market.payoutYesMicros === payoutYesMicros &&
    market.payoutNoMicros === payoutNoMicros
  );
}
