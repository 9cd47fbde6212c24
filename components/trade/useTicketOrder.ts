'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import type { Hex } from 'viem';
import { useApp } from '#components/app/useApp.ts';
import type { Visitor } from '#components/wallet/useSetup.ts';
import { isApiProblem } from '#lib/api/problem.ts';
import { orderKeys } from '#lib/api/queries/orders.ts';
import type { CalldataResult, OrderRequestInput } from '#lib/api/schemas/order.ts';
import type { DescribedCall } from '#lib/trade/describeCalls.ts';
import { orderRequest } from '#lib/trade/orderRequest.ts';
import { boundMicros, isWorse, type TicketQuote } from '#lib/trade/quote.ts';
import { freshQuote } from '#lib/trade/quoteQueries.ts';
import type { TicketContext } from '#lib/trade/ticketState.ts';
import type { SendProgress } from '#lib/wallet/sendCalls.ts';
import { loadWallet } from '#lib/wallet/wallet.ts';
import type { TicketMarket } from './useTicket.ts';
import type { TicketForm } from './useTicketForm.ts';

type Options = {
  market: TicketMarket;
  form: TicketForm;
  visitor: Visitor;
  /** Holds a quote in place of the moving one: to be accepted, or because it is what is ordered. */
  setAccepted: (quote: TicketQuote | undefined) => void;
};

/** What one wallet is to sign, and the same in words: nothing is signed that has not been read. */
export type PreparedCalls = { owner: string; calls: CalldataResult; words: DescribedCall[] };

/**
 * From the confirmation to the order's page. A price that got worse stops it until accepted; an
 * attempt whose fate is unknown is repeated word for word, so that it cannot happen twice.
 */
export function useTicketOrder({ market, form, visitor, setAccepted }: Options) {
  const { api, site } = useApp();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState<TicketContext['busy']>('none');
  const [worsePrice, setWorsePrice] = useState(false);
  const [preparedFor, setPreparedFor] = useState<PreparedCalls>();
  const [progress, setProgress] = useState<SendProgress>();
  const [error, setError] = useState<Error>();
  /** How many of the prepared calls went through already. */
  const sent = useRef(0);
  const attempt = useRef<OrderRequestInput>(undefined);
  const running = useRef(false);
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
    setWorsePrice(isNowWorse);
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
    worsePrice,
    prepared,
    progress,
    error,
    reset: () => {
      attempt.current = undefined;
      setWorsePrice(false);
      setPreparedFor(undefined);
      sent.current = 0;
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
          const unknown = isApiProblem(problem) && (problem.status === 0 || problem.status >= 500);
          if (!unknown) {
            attempt.current = undefined;
            setAccepted(undefined);
          }
          throw problem;
        }
      }),
    prepare: (shown: TicketQuote) =>
      exclusively('preparing', async () => {
        // Before anything is prepared: without the words there is nothing to sign.
        const [{ describeCalls }] = await Promise.all([
          import('#lib/trade/describeCalls.ts'),
          import('./CallList.tsx'),
        ]);
        const request = await confirm(shown);
        const account = visitor.account?.smartAccountAddress;
        if (!request || !account) return;
        const calls = await api.createCalldataOrder(request);
        const words = describeCalls(site, account as Hex, callsOf(calls));
        sent.current = 0;
        setPreparedFor({ owner: visitor.wallet.address ?? '', calls, words });
      }),
    sign: (calls: CalldataResult) =>
      exclusively('signing', async () => {
        const { engine } = await loadWallet(site);
        const { sendCallsInOrder } = await import('#lib/wallet/sendCalls.ts');
        const follow = (now: SendProgress) => {
          if (!now.isAtomic) sent.current = now.sent;
          setProgress(now);
        };
        await sendCallsInOrder(engine, callsOf(calls), follow, sent.current);
        await openOrder(calls.intent.id);
      }),
  };
}

function callsOf({ transactions }: CalldataResult) {
  return transactions.map(({ to, value, data }) => ({
    to: to as Hex,
    value: BigInt(value),
    data: data as Hex,
  }));
}
