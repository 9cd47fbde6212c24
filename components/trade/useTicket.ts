'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { portfolioQuery } from '#lib/api/queries/account.ts';
import type { Account } from '#lib/api/schemas/account.ts';
import type { MarketStatus } from '#lib/api/schemas/market.ts';
import { parseMicros } from '#lib/money.ts';
import { boundMicros, type TicketQuote } from '#lib/trade/quote.ts';
import { ticketQuoteQuery } from '#lib/trade/quoteQueries.ts';
import { type TicketContext, ticketState } from '#lib/trade/ticketState.ts';
import { useTicketForm } from './useTicketForm.ts';
import { useTicketOrder } from './useTicketOrder.ts';
import { useTicketSetup } from './useTicketSetup.ts';

export type TicketMarket = { ticker: string; label: string; status: MarketStatus };

function grantUsable(account: Account | undefined): boolean {
  const grant = account?.grant;
  return grant !== null && grant !== undefined && grant.status !== 'expired';
}

/** Everything the ticket shows and does, put together from its parts. */
export function useTicket(
  market: TicketMarket,
  initial: { side: 'yes' | 'no'; action: 'buy' | 'sell' },
) {
  const { api, site } = useApp();
  const visitor = useVisitor();
  const fields = useTicketForm(initial);
  const { form, amount, asked } = fields;
  const setup = useTicketSetup();
  const [accepted, setAccepted] = useState<TicketQuote>();

  const askable = asked.state === 'ok' && market.status === 'open';
  const live = useQuery(
    ticketQuoteQuery(
      api,
      askable
        ? {
            ticker: market.ticker,
            side: form.side,
            action: form.action,
            unit: form.unit,
            amountMicros: asked.micros,
          }
        : undefined,
    ),
  );
  const quote = askable ? (accepted ?? live.data) : undefined;
  const settling = fields.typing || (live.isPlaceholderData && !accepted);
  const order = useTicketOrder({ market, form, visitor, setAccepted });
  const portfolio = useQuery({
    ...portfolioQuery(api, visitor.account?.smartAccountAddress ?? ''),
    enabled: visitor.account !== undefined,
  });
  const heldContractMicros = heldOf(portfolio.data, market.ticker, form.side);
  const bound = quote && boundMicros(quote, form.action, form.slippageBps);

  const context: TicketContext = {
    action: form.action,
    execution: form.execution,
    marketStatus: market.status,
    wallet: visitor.wallet.address
      ? 'connected'
      : visitor.wallet.status === 'connecting'
        ? 'connecting'
        : 'none',
    wrongNetwork: visitor.wrongNetwork,
    session: visitor.session ? 'valid' : setup.signIn.isPending ? 'signing' : 'none',
    account: visitor.account ? 'ready' : visitor.accountFailed ? 'failed' : 'loading',
    grantUsable: grantUsable(visitor.account),
    sandbox: site.sandbox,
    cashMicros: visitor.account ? parseMicros(visitor.account.balances.usdc) : 0n,
    heldContractMicros,
    amount: amount.state,
    quote: quote && !settling ? 'ready' : live.isError && !quote ? 'failed' : 'loading',
    fillable: quote?.fillable ?? false,
    neededMicros: form.action === 'buy' ? (bound ?? 0n) : (quote?.contractMicros ?? amount.micros),
    worsePrice: order.worsePrice,
    busy: order.busy !== 'none' ? order.busy : setup.busy,
    callsPrepared: order.prepared !== undefined,
  };

  /** Any change of the ticket ends what was prepared for the old one. */
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
      type: changing(fields.type),
      fill: changing(fields.fill),
      change: changing(fields.change),
    },
    visitor,
    setup,
    order,
    quote,
    settling,
    bound,
    context,
    reason: ticketState(context),
    refetchQuote: () => void live.refetch(),
  };
}

export type Ticket = ReturnType<typeof useTicket>;

type Held = { portfolioItem: { amount: string }; venueMarket: { marketId: string; side: string } };

function heldOf(portfolio: Held[] | undefined, ticker: string, side: string): bigint {
  const entry = portfolio?.find(
    ({ venueMarket }) => venueMarket.marketId === ticker && venueMarket.side === side,
  );
  return entry ? parseMicros(entry.portfolioItem.amount) : 0n;
}
