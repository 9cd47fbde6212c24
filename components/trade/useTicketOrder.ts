'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import type { Visitor } from '#components/wallet/useSetup.ts';
import { isInDoubt, toldOfDoubt } from '#lib/api/doubt.ts';
import { orderKeys } from '#lib/api/queries/orders.ts';
import type { OrderRequestInput } from '#lib/api/schemas/order.ts';
import { orderRequest } from '#lib/trade/orderRequest.ts';
import { boundMicros, isWorse, type TicketQuote } from '#lib/trade/quote.ts';
import { freshQuote } from '#lib/trade/quoteQueries.ts';
import type { TicketContext } from '#lib/trade/ticketState.ts';
import type { SendProgress } from '#lib/wallet/sendCalls.ts';
import type { OwnOrder } from './ownOrder.ts';
import type { TicketMarket } from './useTicket.ts';
import type { TicketForm } from './useTicketForm.ts';

type Options = {
  market: TicketMarket;
  form: TicketForm;
  visitor: Visitor;
  /** Holds a quote in place of the moving one: to be accepted, or because it is what is ordered. */
  setAccepted: (quote: TicketQuote | undefined) => void;
};

/**
 * From the confirmation to the order's page. A price that got worse stops it until accepted; an
 * attempt whose fate is unknown is repeated word for word, so that it cannot happen twice.
 */
export function useTicketOrder({ market, form, visitor, setAccepted }: Options) {
  const { api, site } = useApp();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState<TicketContext['busy']>('none');
  const [worseThan, setWorseThan] = useState<TicketQuote>();
  const [preparedFor, setPreparedFor] = useState<OwnOrder>();
  const [progress, setProgress] = useState<SendProgress>();
  const [error, setError] = useState<Error>();
  /** Counts what the ticket has been: what was asked for an earlier one comes too late. */
  const turn = useRef(0);
  const attempt = useRef<OrderRequestInput>(undefined);
  const running = useRef(false);
  useEffect(
    () => () => {
      turn.current += 1;
    },
    [],
  );
  // Calls are one account's; with another wallet they are not the visitor's to sign.
  const prepared = preparedFor?.owner === visitor.wallet.address ? preparedFor : undefined;

  /** Runs one step at a time; a second click while one runs does nothing. */
  const exclusively = async (kind: TicketContext['busy'], step: () => Promise<void>) => {
    if (running.current) return;
    running.current = true;
    setBusy(kind);
    setError(undefined);
    try {
      await step();
    } catch (problem) {
      setError(problem instanceof Error ? problem : new Error('Something went wrong.'));
    } finally {
      running.current = false;
      setBusy('none');
      setProgress(undefined);
    }
  };

  /** The order to send, or undefined when the price got worse and must be accepted first. */
  const confirm = async (shown: TicketQuote): Promise<OrderRequestInput | undefined> => {
    const ask = { ticker: market.ticker, side: form.side, action: form.action };
    const fresh = await freshQuote(api, ask, shown.contractMicros);
    if (!fresh.fillable) {
      // Not held: the book may recover, and the moving price tells.
      setAccepted(undefined);
      throw new Error('The book no longer holds this much. Nothing has been placed.');
    }
    const isNowWorse = isWorse(shown, fresh, form.action);
    setAccepted(fresh);
    setWorseThan(isNowWorse ? shown : undefined);
    if (isNowWorse) return undefined;
    const draft = {
      ...ask,
      contractMicros: fresh.contractMicros,
      boundUsdcMicros: boundMicros(fresh, form.action, form.slippageBps),
    };
    return orderRequest(site, draft, visitor.wallet.address ?? '', crypto.randomUUID());
  };

  const openOrder = async (id: string) => {
    await queryClient.invalidateQueries({ queryKey: orderKeys.all });
    router.push(`/orders/${id}`);
  };

  return {
    busy,
    /** What was shown before the price got worse; it waits to be accepted. */
    worseThan,
    prepared,
    progress,
    error,
    reset: () => {
      attempt.current = undefined;
      setWorseThan(undefined);
      setPreparedFor(undefined);
      turn.current += 1;
      setError(undefined);
    },
    place: (shown: TicketQuote) =>
      exclusively('placing', async () => {
        const request = attempt.current ?? (await confirm(shown));
        if (!request) return;
        attempt.current = request;
        try {
          const { intent } = await api.createOrder(request);
          attempt.current = undefined;
          await openOrder(intent.id);
        } catch (problem) {
          if (!isInDoubt(problem)) {
            attempt.current = undefined;
            setAccepted(undefined);
          }
          throw toldOfDoubt(problem, 'your order');
        }
      }),
    prepare: (shown: TicketQuote) =>
      exclusively('preparing', async () => {
        const now = turn.current;
        // Before anything is prepared: without the words there is nothing to sign.
        const [{ prepareOwnOrder }] = await Promise.all([
          import('./ownOrder.ts'),
          import('./CallList.tsx'),
        ]);
        const request = await confirm(shown);
        const account = visitor.account?.smartAccountAddress;
        if (!request || !account || now !== turn.current) return;
        const own = await prepareOwnOrder(site, request, account, (over) =>
          setPreparedFor((shownNow) => (shownNow === over ? undefined : shownNow)),
        );
        if (now === turn.current) setPreparedFor(own);
        else own.end();
      }),
    sign: (own: OwnOrder) =>
      exclusively('signing', async () => {
        await own.send(setProgress);
        await openOrder(own.id);
      }),
  };
}
