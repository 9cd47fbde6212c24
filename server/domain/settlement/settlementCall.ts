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

/** What the operations of a settlement carry, as it is stored. */
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

/** A market as the vault has it now. */
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
 * Whether the vault has the very proposal that a stored `finalize` is about. Asked again before it is
 * signed: the proposal may have been vetoed since, and another one made with a stolen key.
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
