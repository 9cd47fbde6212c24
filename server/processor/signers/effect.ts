import type { Address, Hex } from 'viem';
import { withdrawalRefOf } from '#lib/withdraw/withdrawalToSign.ts';
import { readAccountState } from '#server/chain/accountReads.ts';
import type { Chain } from '#server/chain/client.ts';
import { findWithdrawal, isOrderDone, isWithdrawn } from '#server/chain/operations/effects.ts';
import type { ChainOperation } from '#server/chain/operations/store.ts';
import { chainOrderIdFor, type OperationTargets, orderOf } from './operationTargets.ts';

export type Effect = { isDone: boolean; hash?: Hex | undefined };

/**
 * Whether the chain shows what an operation was to do, whoever did it. Asked only when no receipt
 * of ours can tell. Kinds whose effect names no operation count as not done: the contracts refuse,
 * or do no harm, when they are done twice.
 */
export async function readEffect(
  chain: Chain,
  subjects: OperationTargets,
  operation: ChainOperation,
): Promise<Effect> {
  switch (operation.kind) {
    case 'request':
    case 'fill':
    case 'refund': {
      const id = chainOrderIdFor(subjects, operation);
      return { isDone: id !== undefined && (await isOrderDone(chain, id, operation.kind)) };
    }
    case 'withdraw': {
      const account = orderOf(subjects, operation).accountId as Address;
      const ref = withdrawalRefOf(operation.orderId);
      const isDone = await isWithdrawn(chain, account, ref);
      return { isDone, hash: isDone ? await findWithdrawal(chain, account, ref) : undefined };
    }
    case 'grant':
      // The step that wants it looks at the account itself and asks again when it must.
      return { isDone: await isStanding(chain, orderOf(subjects, operation).accountId) };
    default:
      return { isDone: false };
  }
}

async function isStanding(chain: Chain, account: string): Promise<boolean> {
  return (await readAccountState(chain, account as Address)).grant !== undefined;
}
