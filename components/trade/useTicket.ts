import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { clientOptions, useApp } from '#components/app/useApp.ts';
import { usePositions } from '#components/portfolio/usePositions.ts';
import { useRedeem } from '#components/portfolio/useRedeem.ts';
import { useOnline } from '#components/ui/useOnline.ts';
import { useForeignKey } from '#components/wallet/useForeignKey.ts';
import {
  useFaucet,
  useSignGrant,
  useSignIn,
  useSwitchNetwork,
  useVisitor,
  type Visitor,
} from '#components/wallet/useSetup.ts';
import type { Account, AccountGrant } from '#lib/api/schemas/account.ts';
import type { MarketStatus } from '#lib/api/schemas/market.ts';
import { lacksEther } from '#lib/browser/relay/lacksEther.ts';
import { spendableMicros } from '#lib/browser/trade/amount.ts';
import { pressedQuote, SEEN_AFTER_MS, type SeenQuote } from '#lib/browser/trade/orderPhase.ts';
import { type PreviewAsk, ticketPreviewQuery } from '#lib/browser/trade/previewQueries.ts';
import {
  isFillable,
  quoteLimitMicros,
  type TicketQuote,
  type TradeSide,
} from '#lib/browser/trade/quote.ts';
import { ticketQuoteQuery } from '#lib/browser/trade/quoteQueries.ts';
import { type TicketContext, ticketState } from '#lib/browser/trade/ticketState.ts';
import type { MarketPrices } from '#lib/market/marketView.ts';
import { parseMicros } from '#lib/money.ts';
import { type TicketForm, useTicketForm } from './useTicketForm.ts';
import { useTicketOrder } from './useTicketOrder.ts';

export type TicketMarket = MarketPrices & {
  ticker: string;
  label: string;
  status: MarketStatus;
  isScalar: boolean;
  payoutYesMicros: bigint | null;
};

function useUsableGrant(account: Account | undefined): AccountGrant | undefined {
  const isForeign = useForeignKey(account);
  const grant = account?.grant;
  return grant && grant.status !== 'expired' && !isForeign ? grant : undefined;
}

export function useTicket(
  market: TicketMarket,
  initial: { side: 'yes' | 'no'; action: 'buy' | 'sell' },
  /** Whether the market is asked for a price: an order with its own price needs none. */
  isQuoted = true,
) {
  const { api, site } = useApp();
  const visitor = useVisitor();
  const positions = (usePositions() ?? []).filter(({ marketId }) => marketId === market.ticker);
  const heldOf = (side: TradeSide) =>
    positions.find((position) => position.side === side)?.contractMicros ?? 0n;
  const { account } = visitor;
  const isRelayed = site.relays && account !== undefined && lacksEther(account);
  const asksWallet = useQuery({
    queryKey: ['wallet-pays', account],
    queryFn: () =>
      import('#lib/browser/relay/relayMessage.ts').then((relay) =>
        relay.paysFirstOrder({ api, site }, account),
      ),
    enabled: isRelayed && !account.deployed && !account.grant,
  });
  const walletPays = asksWallet.data;
  const cashMicros = parseMicros(account?.balances[walletPays ? 'ownerUsdc' : 'usdc'] ?? '0');
  const fields = useTicketForm(initial, ({ action, side }) =>
    action === 'buy' ? spendableMicros(cashMicros) : heldOf(side),
  );
  const { amount, asked } = fields;
  const form = walletPays ? { ...fields.form, execution: 'self' as const } : fields.form;
  const setup = useTicketSetup();
  const [accepted, setAccepted] = useState<TicketQuote>();

  const askable = isQuoted && asked.state === 'ok' && market.status === 'open';
  const live = useQuery(
    ticketQuoteQuery(
      api,
      askable
        ? {
            ticker: market.ticker,
            side: form.side,
            action: form.action,
            unit: form.askedUnit,
            amountMicros: asked.micros,
          }
        : undefined,
    ),
  );
  const quote = askable ? (accepted ?? live.data) : undefined;
  const settling = fields.typing || (live.isPlaceholderData && !accepted);
  const order = useTicketOrder({ market, form, visitor, setAccepted, clear: fields.clear });
  const askKey = [form.action, form.side, form.askedUnit, asked.micros].join(' ');
  const seen = useSeenQuote(askKey, settling ? undefined : quote);
  const heldContractMicros = heldOf(form.side);
  const payout = positions.find(({ redeemableMicros }) => (redeemableMicros ?? 0n) > 0n);
  const { redeem, ...redemption } = useRedeem();
  const router = useRouter();
  const isOnline = useOnline();
  const quoteLimit = quote && quoteLimitMicros(quote, form.action, form.slippageBps);
  const grant = useUsableGrant(account);
  const preview = usePreview({
    form,
    visitor,
    askKey,
    order:
      quote && !settling && isFillable(quote)
        ? { ticker: market.ticker, side: form.side, slippageBps: form.slippageBps, quote }
        : undefined,
  });
  const limitsNeed = grant && preview.data?.limitsNeed;

  const context: TicketContext = {
    action: form.action,
    execution: form.execution,
    marketStatus: market.status,
    isOnline,
    wallet: visitor.wallet.address
      ? 'connected'
      : visitor.wallet.status === 'connecting'
        ? 'connecting'
        : 'none',
    wrongNetwork: visitor.wrongNetwork,
    session: visitor.session ? 'valid' : setup.signIn.isPending ? 'signing' : 'none',
    account: visitor.accountFailed
      ? 'failed'
      : account && !asksWallet.isLoading
        ? 'ready'
        : 'loading',
    grantUsable: grant !== undefined,
    sandbox: site.sandbox,
    cashMicros,
    heldContractMicros,
    redeemableUsdcMicros: payout?.redeemableMicros ?? 0n,
    amount: amount.state,
    quote: quote && !settling ? 'ready' : live.isError && !quote ? 'failed' : 'loading',
    fillable: quote !== undefined && isFillable(quote),
    soldContractMicros: form.action === 'sell' ? (quote?.contractMicros ?? amount.micros) : 0n,
    previewLoading: preview.isLoading,
    blocker: preview.data?.blocker?.reason,
    worsePrice: order.phase.at === 'worse',
    busy: redemption.isResting ? 'placing' : order.busy !== 'none' ? order.busy : setup.busy,
    callsPrepared: order.prepared !== undefined,
    onePress: form.onePress,
    confirming: order.phase.at === 'confirming',
  };

  /** Any change of the ticket discards the order prepared for the old one. */
  const changing =
    <A extends unknown[]>(act: (...args: A) => void) =>
    (...args: A) => {
      order.reset();
      setAccepted(undefined);
      act(...args);
    };

  return {
    fields: {
      ...fields,
      form,
      type: changing(fields.type),
      fill: changing(fields.fill),
      change: changing(fields.change),
    },
    market,
    positions,
    redeem: () => payout && redeem(payout),
    error: order.error ?? setup.error ?? redemption.error,
    visitor,
    setup,
    order,
    quote,
    askKey,
    /** The quote that a press on the button refers to. */
    pressed: quote && pressedQuote(seen, askKey, quote),
    settling,
    quoteLimit,
    context,
    limitsNeed,
    blocker: preview.data?.blocker,
    reason: ticketState(context),
    refetchQuote: () => void live.refetch(),
    /** Crossbook sends what the wallet signs, because it has no ether. */
    isRelayed,
    /** The wallet pays the first order, because it has USDC but neither ether nor an account. */
    walletPays,
    openDeposit: () => router.push('/deposit'),
  };
}

export type Ticket = ReturnType<typeof useTicket>;

/** What blocks the order that the next press would place. */
export function usePreview({
  form,
  visitor: { session, account },
  askKey,
  order,
  bookVersion = '',
}: {
  form: TicketForm;
  visitor: Visitor;
  askKey: string;
  order: PreviewAsk['order'] | undefined;
  /** Changes with what the book offers, where no quote of the order does. */
  bookVersion?: string;
}) {
  const { site } = useApp();
  return useQuery(
    ticketPreviewQuery(
      { site, client: clientOptions(site) },
      session && account && order
        ? {
            action: form.action,
            owner: account.owner,
            source: form.execution === 'forMe' ? 'api' : 'calldata',
            order,
            askKey,
            version: JSON.stringify([account.balances, account.grant, bookVersion]),
          }
        : undefined,
    ),
  );
}

function useTicketSetup() {
  const signIn = useSignIn();
  const signGrant = useSignGrant();
  const faucet = useFaucet();
  const switchNetwork = useSwitchNetwork();
  const busy: TicketContext['busy'] = signGrant.isPending
    ? 'granting'
    : faucet.isPending
      ? 'funding'
      : switchNetwork.isPending
        ? 'signing'
        : 'none';
  const error = signIn.error ?? signGrant.error ?? faucet.error ?? switchNetwork.error;
  return { signIn, signGrant, faucet, switchNetwork, busy, error };
}

/** The first quote of a request at once, a newer one when it was on screen long enough. */
function useSeenQuote(key: string, quote: TicketQuote | undefined): SeenQuote | undefined {
  const [seen, setSeen] = useState<SeenQuote>();
  useEffect(() => {
    if (!quote) return;
    const delayMs = seen?.key === key ? SEEN_AFTER_MS : 0;
    const timer = setTimeout(() => setSeen({ key, quote }), delayMs);
    return () => clearTimeout(timer);
  }, [key, quote, seen?.key]);
  return seen;
}
