import type { Account } from '#lib/api/schemas/account.ts';
import type { RelayRequestInput, RelayTerms } from '#lib/api/schemas/relay.ts';
import type { SendProgress, WalletCall } from '#lib/browser/wallet/sendCalls.ts';
import { loadWallet } from '#lib/browser/wallet/wallet.ts';
import { receiveCall } from '#lib/relay/receiveCall.ts';
import { type BatchDraft, batchDepositOf, relayMessageOf } from './relayDraft.ts';
import { followRelay, type RelayService, UnconfirmedRelay } from './relayMessage.ts';
import { type PaidStep, stillInWallet } from './stillInWallet.ts';

type Hex = `0x${string}`;

export type PaidOrder = {
  account: Pick<Account, 'owner' | 'smartAccountAddress'>;
  draft: BatchDraft & { depositMicros: bigint };
  /** Kept while the order's review is open, so that another try asks only for what is missing. */
  signed: SignedSoFar;
};

export type SignedSoFar = {
  deposit?: { call: WalletCall; untilMs: number };
  /** Sent, with an outcome that is not known yet. */
  request?: RelayRequestInput;
};

/** A signed deposit is used only with this much of its time left. */
const LEAST_MS = 120_000;

/**
 * Has the owner sign a deposit from the wallet and the batch that takes it, two signatures for one
 * transaction, and follows it until it is on chain.
 * @throws also when it failed, each time with where the money is
 */
export async function relayPaidOrder(
  service: RelayService,
  order: PaidOrder,
  terms: RelayTerms,
  onProgress: (progress: SendProgress) => void,
): Promise<void> {
  const { signed, draft } = order;
  let step: PaidStep = 'signDeposit';
  const report = (sent: number, next: PaidStep) => {
    step = next;
    const waiting = next === 'send' ? 'chain' : 'wallet';
    onProgress({ sent, total: 2, waiting, isAtomic: true });
  };
  try {
    signed.request ??= await signBoth(service, order, terms, report);
    report(2, 'send');
    await followRelay(service.api, signed.request);
  } catch (problem) {
    if (!(problem instanceof UnconfirmedRelay)) delete signed.request;
    throw stillInWallet(problem, step, draft.depositMicros);
  }
}

async function signBoth(
  { site }: RelayService,
  { account, draft, signed }: PaidOrder,
  terms: RelayTerms,
  report: (sent: number, step: PaidStep) => void,
): Promise<RelayRequestInput> {
  const owner = account.owner as Hex;
  const { engine, signTyped, ensureOurChain } = await loadWallet(site);
  // Wallets refuse to sign for another network than their own.
  await ensureOurChain(engine);
  if (!signed.deposit || signed.deposit.untilMs < Date.now() + LEAST_MS) {
    report(0, 'signDeposit');
    const { message, typedData } = batchDepositOf(site, account, draft.depositMicros);
    const signature = await signTyped(engine, owner, typedData);
    const call = receiveCall(site.contracts.usdc, message, signature);
    signed.deposit = { call, untilMs: Number(message.validBefore) * 1_000 };
  }
  report(1, 'signOrder');
  const batch = { ...draft, calls: [signed.deposit.call, ...draft.calls] };
  const { typedData, ...message } = relayMessageOf(site, account, batch, terms);
  const signature = await signTyped(engine, owner, typedData);
  return { ...message, address: owner, signature };
}
