import type { Hex } from 'viem';
import { z } from 'zod';
import { MICROS } from '#lib/money.ts';
import { type Chain, settlementOf } from '../../chain/client.ts';
import type { OperationCall } from '../../chain/operations/encode.ts';
import { addOperations, type ChainOperation } from '../../chain/operations/store.ts';
import type { Queryable } from '../../platform/database/client.ts';
import type { Settlement } from './settlementStore.ts';

const argsSchema = z.object({
  ticker: z.string(),
  marketKey: z.string().transform((text) => text as Hex),
  payoutYesMicros: z.string().transform(BigInt),
  payoutNoMicros: z.string().transform(BigInt),
});

/** The owner of settlements' ledger lines and operations; not a user. */
export const HOUSE = 'house';

export async function queueSettlementCall(
  tx: Queryable,
  { id, ticker, marketKey, payoutYesMicros }: Settlement,
  call: { kind: 'register' | 'propose' | 'finalize'; attempt: number; notBeforeMs?: number },
): Promise<void> {
  const { kind, attempt, notBeforeMs } = call;
  const args: z.input<typeof argsSchema> & { notBeforeMs?: number } = {
    ticker,
    marketKey,
    payoutYesMicros: payoutYesMicros.toString(),
    payoutNoMicros: (MICROS - payoutYesMicros).toString(),
    ...(notBeforeMs !== undefined && { notBeforeMs }),
  };
  await addOperations(tx, { id, accountId: HOUSE }, [{ kind, attempt, args }]);
}

export function settlementCallOf(operation: ChainOperation): OperationCall {
  const { ticker, marketKey, ...payouts } = argsSchema.parse(operation.args);
  if (operation.kind === 'register') return { kind: 'register', ticker };
  return operation.kind === 'propose'
    ? { kind: 'propose', marketKey, ...payouts }
    : { kind: 'finalize', marketKey };
}

/** `state` of a market in the settlement contract. */
export const MARKET_STATES = ['unregistered', 'open', 'proposed', 'settled'] as const;

export async function readChainMarket(chain: Chain, marketKey: Hex) {
  const [payoutYes, payoutNo, , state] = await settlementOf(chain).read.markets([marketKey]);
  return {
    state: MARKET_STATES[state] ?? 'unregistered',
    payoutYesMicros: BigInt(payoutYes),
    payoutNoMicros: BigInt(payoutNo),
  };
}

/**
 * Whether the settlement holds exactly the proposal that a stored `finalize` refers to. Checked again
 * before signing: it may have been vetoed and replaced with a stolen key.
 */
export async function isProposed(chain: Chain, operation: ChainOperation): Promise<boolean> {
  const { marketKey, payoutYesMicros, payoutNoMicros } = argsSchema.parse(operation.args);
  const market = await readChainMarket(chain, marketKey);
  return (
    market.state === 'proposed' &&
    market.payoutYesMicros === payoutYesMicros &&
    market.payoutNoMicros === payoutNoMicros
  );
}
