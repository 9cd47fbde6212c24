import { decodeFunctionData, type Hex, isAddressEqual } from 'viem';
import { clientOptions } from '#components/app/useApp.ts';
import type { Account } from '#lib/api/schemas/account.ts';
import type { AnyOrderRequestInput } from '#lib/api/schemas/order.ts';
import type { RelayTerms } from '#lib/api/schemas/relay.ts';
import { createTradingClient } from '#lib/api/tradingClient.ts';
import type { BatchDraft } from '#lib/browser/relay/relayDraft.ts';
import {
  findBatchTerms,
  findRelayTerms,
  type RelayService,
  relayMessage,
} from '#lib/browser/relay/relayMessage.ts';
import { relayPaidOrder, type SignedSoFar } from '#lib/browser/relay/relayPaidOrder.ts';
import { type DescribedCall, describeCalls } from '#lib/browser/trade/describeCalls.ts';
import { WalletError } from '#lib/browser/wallet/errors.ts';
import {
  type SendProgress,
  sendCallsInOrder,
  type WalletCall,
} from '#lib/browser/wallet/sendCalls.ts';
import { loadWallet } from '#lib/browser/wallet/wallet.ts';
import { walletCallsOf } from '#lib/browser/wallet/walletCalls.ts';
import { contractCallsAbi } from '#lib/contractCalls.ts';
import { parseMicros } from '#lib/money.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';

export type SelfSignedOrder = {
  id: string;
  owner: string;
  /** The number of transactions that the wallet has to sign. */
  count: number;
  /** Crossbook sends the calls, which are signed in one message. */
  isRelayed: boolean;
  /** What a first signature takes from the wallet for the order; 0 if the account pays. */
  depositMicros: bigint;
  /** The calls in words: the user reads everything before signing. */
  words: DescribedCall[];
  /** Resumes after the calls that succeeded. @throws {WalletError}, and when the order has ended */
  send: (onProgress: (progress: SendProgress) => void) => Promise<void>;
  /** Cancels it, unless the wallet has been prompted: a confirmation would still take effect. */
  end: () => void;
};

/** Requests of the page that is being left still go out. */
const outlivingFetch: typeof fetch = (input, init) => fetch(input, { ...init, keepalive: true });

/**
 * Has the service issue an order for the visitor's own wallet.
 * @param signal ends the order, also while it is being issued
 * @param onOver called when it can no longer be sent
 * @throws {ApiProblem}
 */
export async function prepareSelfSignedOrder(
  site: SiteConfig,
  request: AnyOrderRequestInput,
  account: Account,
  signal: AbortSignal,
  onOver: (own: SelfSignedOrder) => void,
): Promise<SelfSignedOrder> {
  const api = createTradingClient({ ...clientOptions(site), fetch: outlivingFetch });
  const service = { api, site };
  const { owner, smartAccountAddress } = account;
  const terms = await findBatchTerms(service, account);
  // A wallet without ether can pay only through its account, which takes a deposit first.
  const asked = terms ? { ...request, userAddress: smartAccountAddress } : request;
  const { transactions, intent } = await api.createCalldataOrder(asked);
  const calls = walletCallsOf(transactions);
  const draft = terms && (await paidBatchOf(service, owner, calls, terms));
  const signed: SignedSoFar = {};
  let sent = 0;
  let wasAsked = false;
  let isOver = false;
  const own: SelfSignedOrder = {
    id: intent.id,
    owner: request.userAddress,
    count: draft ? 1 : calls.length,
    isRelayed: draft !== undefined,
    depositMicros: draft?.depositMicros ?? 0n,
    words: describeCalls(
      {
        site,
        account: smartAccountAddress as Hex,
        spendsLimit:
          request.orderType === 'MarketOrder' && request.order.sizedBy === 'maxQuoteQuantityIn',
      },
      calls,
    ),
    send: async (onProgress) => {
      const [{ engine }, { isComplete }] = await Promise.all([
        loadWallet(site),
        api.getOrder(intent.id),
      ]);
      if (isComplete || isOver) {
        onOver(own);
        throw new Error('This order has expired. Nothing was sent. Review it again.');
      }
      wasAsked = true;
      const follow = (now: SendProgress) => {
        if (!now.isAtomic) sent = now.sent;
        onProgress(now);
      };
      try {
        if (draft) await relay(service, { account, draft, signed }, follow);
        else await sendCallsInOrder(engine, { from: own.owner as Hex, calls }, follow, sent);
      } catch (error) {
        // The call that creates the order is the last: without it nothing was submitted.
        wasAsked = !(error instanceof WalletError && error.problem === 'rejected');
        throw error;
      }
    },
    end: () => {
      if (wasAsked || isOver) return;
      isOver = true;
      // If this fails, the order expires.
      api.cancelOrder(intent.id).catch(() => undefined);
      onOver(own);
    },
  };
  // From now on, not from when its calls are on screen.
  window.addEventListener('pagehide', own.end);
  if (signal.aborted) own.end();
  else signal.addEventListener('abort', own.end);
  return own;
}

type PaidBatch = Required<BatchDraft>;

/**
 * The account's own calls, and what the wallet must bring first: what the order locks beyond the
 * account's cash, and no less than the service deploys an account for.
 */
async function paidBatchOf(
  { api, site }: RelayService,
  owner: string,
  calls: WalletCall[],
  { batch, minimumDeposit }: RelayTerms,
): Promise<PaidBatch> {
  const { usdc } = (await api.getAccount(owner)).balances;
  const missing = lockedMicros(site, calls) - parseMicros(usdc);
  const least = batch.isAccepted ? 0n : parseMicros(minimumDeposit);
  return { type: 'batch', calls, depositMicros: missing > least ? missing : least };
}

/** The USDC that the vault may take for the order; none for a sale. */
function lockedMicros({ contracts }: SiteConfig, calls: readonly WalletCall[]): bigint {
  const amounts = calls.map(({ to, data }) => {
    if (!isAddressEqual(to, contracts.usdc)) return 0n;
    const { functionName, args } = decodeFunctionData({ abi: contractCallsAbi, data });
    return functionName === 'approve' ? args[1] : 0n;
  });
  return amounts.reduce((sum, micros) => sum + micros, 0n);
}

type Relayed = { account: Account; draft: PaidBatch; signed: SignedSoFar };

async function relay(
  service: RelayService,
  { account, draft, signed }: Relayed,
  follow: (progress: SendProgress) => void,
): Promise<void> {
  const terms = await findRelayTerms(service, account, draft);
  if (!terms) {
    throw new Error(
      'Crossbook cannot send this order right now. Nothing was sent, and no funds moved. Review it again.',
    );
  }
  if (draft.depositMicros > 0n) {
    await relayPaidOrder(service, { account, draft, signed }, terms, follow);
  } else await relayMessage(service, account, draft, terms, follow);
}
