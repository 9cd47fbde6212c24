import type { Hex } from 'viem';
import { clientOptions } from '#components/app/useApp.ts';
import type { Account } from '#lib/api/schemas/account.ts';
import type { AnyOrderRequestInput } from '#lib/api/schemas/order.ts';
import { createTradingClient } from '#lib/api/tradingClient.ts';
import { accountCallsIn } from '#lib/browser/relay/relayDraft.ts';
import { findRelayTerms, relayMessage } from '#lib/browser/relay/relayMessage.ts';
import { type DescribedCall, describeCalls } from '#lib/browser/trade/describeCalls.ts';
import { WalletError } from '#lib/browser/wallet/errors.ts';
import { type SendProgress, sendCallsInOrder } from '#lib/browser/wallet/sendCalls.ts';
import { loadWallet } from '#lib/browser/wallet/wallet.ts';
import { walletCallsOf } from '#lib/browser/wallet/walletCalls.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';

export type SelfSignedOrder = {
  id: string;
  owner: string;
  /** The number of transactions that the wallet has to sign. */
  count: number;
  /** Crossbook sends the calls, which are signed in one message. */
  isRelayed: boolean;
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
 * @param onOver called when it can no longer be sent
 * @throws {ApiProblem}
 */
export async function prepareSelfSignedOrder(
  site: SiteConfig,
  request: AnyOrderRequestInput,
  account: Account,
  onOver: (own: SelfSignedOrder) => void,
): Promise<SelfSignedOrder> {
  const api = createTradingClient({ ...clientOptions(site), fetch: outlivingFetch });
  const { transactions, intent } = await api.createCalldataOrder(request);
  const calls = walletCallsOf(transactions);
  const inner = accountCallsIn(site, account.smartAccountAddress as Hex, calls);
  const draft = inner && { type: 'batch' as const, calls: inner };
  const isRelayed =
    draft !== undefined && (await findRelayTerms({ api, site }, account, draft)) !== undefined;
  let sent = 0;
  let wasAsked = false;
  let isOver = false;
  const own: SelfSignedOrder = {
    id: intent.id,
    owner: request.userAddress,
    count: isRelayed ? 1 : calls.length,
    isRelayed,
    words: describeCalls(
      {
        site,
        account: account.smartAccountAddress as Hex,
        spendsLimit:
          request.orderType === 'MarketOrder' && request.order.sizedBy === 'maxQuoteQuantityIn',
      },
      isRelayed && inner ? inner : calls,
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
        const terms = isRelayed && draft && (await findRelayTerms({ api, site }, account, draft));
        if (terms) await relayMessage({ api, site }, account, draft, terms, follow);
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
  return own;
}
