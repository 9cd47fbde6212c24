import type { Hex } from 'viem';
import { clientOptions } from '#components/app/clientOptions.ts';
import type { OrderRequestInput } from '#lib/api/schemas/order.ts';
import { createTradingClient } from '#lib/api/tradingClient.ts';
import { type DescribedCall, describeCalls } from '#lib/browser/trade/describeCalls.ts';
import { WalletError } from '#lib/browser/wallet/errors.ts';
import { type SendProgress, sendCallsInOrder } from '#lib/browser/wallet/sendCalls.ts';
import { loadWallet } from '#lib/browser/wallet/wallet.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';

/** An order that one wallet is to send itself, from its review to its end. */
export type SelfSignedOrder = {
  id: string;
  owner: string;
  /** How many transactions the wallet is asked for. */
  count: number;
  /** The same in words: nothing is signed that has not been read. */
  words: DescribedCall[];
  /**
   * Goes on after what went through before. @throws {WalletError}, and when the order has ended
   */
  send: (onProgress: (progress: SendProgress) => void) => Promise<void>;
  /** Ends it, unless the wallet was asked for it: what that may have confirmed stands. */
  end: () => void;
};

/** What the page that is being left has asked for still goes out. */
const outlivingFetch: typeof fetch = (input, init) => fetch(input, { ...init, keepalive: true });

/**
 * Has the service issue an order for the visitor's own wallet.
 * @param onOver told when it can no longer be sent
 * @throws {ApiProblem}
 */
export async function prepareSelfSignedOrder(
  site: SiteConfig,
  request: OrderRequestInput,
  account: string,
  onOver: (own: SelfSignedOrder) => void,
): Promise<SelfSignedOrder> {
  const api = createTradingClient({ ...clientOptions(site), fetch: outlivingFetch });
  const { transactions, intent } = await api.createCalldataOrder(request);
  const calls = transactions.map(({ to, value, data }) => ({
    to: to as Hex,
    value: BigInt(value),
    data: data as Hex,
  }));
  let sent = 0;
  let wasAsked = false;
  let isOver = false;
  const own: SelfSignedOrder = {
    id: intent.id,
    owner: request.userAddress,
    count: calls.length,
    words: describeCalls(site, account as Hex, calls),
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
        await sendCallsInOrder(engine, { from: own.owner as Hex, calls }, follow, sent);
      } catch (error) {
        // The call that makes the order is the last: declined, it is in nobody's hands.
        wasAsked = !(error instanceof WalletError && error.problem === 'rejected');
        throw error;
      }
    },
    end: () => {
      if (wasAsked || isOver) return;
      isOver = true;
      // Where this fails it ends by itself when its time is over.
      api.cancelOrder(intent.id).catch(() => undefined);
      onOver(own);
    },
  };
  return own;
}
