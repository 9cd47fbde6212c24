import type { Address, Hex, TransactionReceipt } from 'viem';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { withdrawalRefOf } from '#lib/withdraw/withdrawalToSign.ts';
import { readAccountState } from '#server/chain/accountReads.ts';
import { retryIfBehind } from '#server/chain/behind.ts';
import type { Chain } from '#server/chain/client.ts';
import { eventFilter } from '#server/chain/eventFilter.ts';
import {
  findWithdrawal,
  isFillDone,
  isOrderDone,
  isWithdrawn,
} from '#server/chain/operations/effects.ts';
import { findRelayed, isRelayLogged, relayCallOf } from '#server/chain/operations/relayCall.ts';
import type { ChainOperation } from '#server/chain/operations/store.ts';
import { errorName, readRefusals, readVaultEvents, revertDataOf } from '#server/chain/vaultLogs.ts';
import { readDeliveryArgs } from '#server/domain/orders/create/deliveryTotals.ts';
import { redemptionCallOf } from '#server/domain/orders/create/redemption.ts';
import { redemptionFailures } from '#server/domain/settlement/settlementLogs.ts';
import { NOT_IN_RECEIPT } from '../steps/failureReasons.ts';
import { chainOrderIdFor, type OperationTargets, orderOf } from './transactionContents.ts';

export type ReceiptOutcome = { succeeded: true } | { succeeded: false; failure: string };

const MISSING = { succeeded: false, failure: NOT_IN_RECEIPT } as const;

const accountEvents = {
  grant: eventFilter(tradingAccountAbi, ['GrantSet']),
  withdraw: eventFilter(tradingAccountAbi, ['Withdrawn']),
};

export async function parseReceipt(
  chain: Chain,
  receipt: TransactionReceipt,
  operations: readonly ChainOperation[],
  targets: OperationTargets,
): Promise<(operation: ChainOperation) => ReceiptOutcome> {
  if (receipt.status === 'reverted') {
    const failure = await replayError(chain, receipt);
    return () => ({ succeeded: false, failure });
  }
  const events = readVaultEvents(chain.contracts.swapVault, receipt.logs);
  const refusals = readRefusals(chain.contracts.swapVault, receipt.logs);
  const redeemed = outcomesOfRedemptions(chain, receipt, operations);
  const expected = { request: 'requested', fill: 'filled', refund: 'refunded' } as const;
  return (operation) => {
    const redemption = redeemed.get(operation.id);
    if (redemption) return redemption;
    if (operation.kind === 'grant' || operation.kind === 'withdraw') {
      return isLoggedByAccount(receipt, operation.kind, operation.accountId)
        ? { succeeded: true }
        : MISSING;
    }
    if (operation.kind === 'relay') {
      const isLogged = isRelayLogged(chain.contracts, relayCallOf(operation), receipt);
      return isLogged ? { succeeded: true } : MISSING;
    }
    if (operation.kind !== 'request' && operation.kind !== 'fill' && operation.kind !== 'refund') {
      return { succeeded: true };
    }
    const id = chainOrderIdFor(targets, operation) ?? '';
    const part = readDeliveryArgs(operation.args);
    const kind =
      operation.kind === 'fill' && part?.isLast === false
        ? 'partially_filled'
        : expected[operation.kind];
    const happened = events.some(
      (event) =>
        event.chainOrderId === id &&
        event.kind === kind &&
        (part === undefined || event.filledTotalMicros === part.filledTotalMicros),
    );
    return happened
      ? { succeeded: true }
      : { succeeded: false, failure: refusals.get(id) ?? NOT_IN_RECEIPT };
  };
}

/**
 * Whether the account logged the effect. A call to an address whose account a fork has removed
 * succeeds without any effect.
 */
function isLoggedByAccount(
  receipt: TransactionReceipt,
  kind: keyof typeof accountEvents,
  account: string | null,
): boolean {
  return (
    account !== null && accountEvents[kind].select(account as Address, receipt.logs).length > 0
  );
}

function outcomesOfRedemptions(
  chain: Chain,
  receipt: TransactionReceipt,
  operations: readonly ChainOperation[],
): ReadonlyMap<string, ReceiptOutcome> {
  const asked = operations.filter((operation) => operation.kind === 'redeem');
  const failures = redemptionFailures(
    chain.contracts.settlement,
    receipt.logs,
    asked.map(redemptionCallOf),
  );
  return new Map(
    asked.map((operation, at): [string, ReceiptOutcome] => {
      const failure = failures[at];
      return [operation.id, failure ? { succeeded: false, failure } : { succeeded: true }];
    }),
  );
}

/** Simulates a reverted call to learn its error. */
async function replayError(chain: Chain, receipt: TransactionReceipt): Promise<string> {
  const { from, to, input, gas } = await retryIfBehind(() =>
    chain.client.getTransaction({ hash: receipt.transactionHash }),
  );
  const { blockNumber } = receipt;
  try {
    await retryIfBehind(() =>
      chain.client.call({ account: from, to, data: input, gas, blockNumber }),
    );
    return 'transaction_reverted';
  } catch (error) {
    const data = revertDataOf(error);
    return data === undefined ? 'transaction_reverted' : errorName(data);
  }
}

export type Effect = { isDone: boolean; hash?: Hex | undefined };

/**
 * Whether the chain shows an operation's effect, regardless of the sender. Used only when no
 * receipt of ours can prove it. Kinds whose effect names no operation count as not done: repeating
 * them reverts or is harmless.
 */
export async function readEffect(
  chain: Chain,
  targets: OperationTargets,
  operation: ChainOperation,
): Promise<Effect> {
  switch (operation.kind) {
    case 'fill': {
      const id = chainOrderIdFor(targets, operation);
      const part = readDeliveryArgs(operation.args);
      return { isDone: id !== undefined && (await isFillDone(chain, id, part)) };
    }
    case 'request':
    case 'refund': {
      const id = chainOrderIdFor(targets, operation);
      return { isDone: id !== undefined && (await isOrderDone(chain, id, operation.kind)) };
    }
    case 'withdraw': {
      const account = orderOf(targets, operation).accountId as Address;
      const ref = withdrawalRefOf(operation.orderId);
      const isDone = await isWithdrawn(chain, account, ref);
      return { isDone, hash: isDone ? await findWithdrawal(chain, account, ref) : undefined };
    }
    case 'relay': {
      const hash = await findRelayed(chain, relayCallOf(operation));
      return { isDone: hash !== undefined, hash };
    }
    case 'grant':
      // The step that needs it reads the account itself and requests it again when necessary.
      return { isDone: await hasPermission(chain, orderOf(targets, operation).accountId) };
    default:
      return { isDone: false };
  }
}

async function hasPermission(chain: Chain, account: string): Promise<boolean> {
  return (await readAccountState(chain, account as Address)).grant !== undefined;
}
