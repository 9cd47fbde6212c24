import type { Address, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { SandboxDescription } from '#sandbox/stack/description.ts';
import { encodeAccountExecute } from '#server/chain/accountExecute.ts';
import { createTrader, type Trader, WIDE_LIMITS } from '../trader.ts';
import { insist } from './careful.ts';
import { sendAsUser } from './userTransaction.ts';

/** What the model tracks for one trader. */
export type FollowedOrder = {
  id: string;
  /** Issued for the user to send but never sent: it ends long after the run. */
  neverSent?: boolean;
};

/** A trader of the model, with every place its funds may have gone to. */
export type ModelTrader = Trader & {
  intents: FollowedOrder[];
  markets: string[];
  /** Receives withdrawals only. */
  withdrawalSink: Address;
  /** Receives plain transfers only. */
  transferSink: Address;
  /** Requests sent to the vault without an order: their ids at the vault. */
  orphanedOrderIds: Hex[];
  /** Responses that no careful client should ever see. */
  complaints: string[];
};

export async function createModelTrader(
  sandbox: SandboxDescription,
  markets: string[],
): Promise<ModelTrader> {
  const trader = await insist(() => createTrader(sandbox, WIDE_LIMITS));
  const someone = () => privateKeyToAccount(generatePrivateKey()).address;
  return {
    ...trader,
    intents: [],
    markets,
    withdrawalSink: someone(),
    transferSink: someone(),
    orphanedOrderIds: [],
    complaints: [],
  };
}

/** Has the trader's smart account execute a batch of calls, by a transaction of its owner. */
export async function executeAsOwner(
  sandbox: Pick<SandboxDescription, 'rpcUrl'>,
  trader: Trader,
  calls: readonly { to: Address; data: Hex }[],
): Promise<boolean> {
  const data = encodeAccountExecute(calls.map((call) => ({ ...call, value: 0n })));
  return await sendAsUser(sandbox.rpcUrl, trader.wallet, { to: trader.account, data });
}
