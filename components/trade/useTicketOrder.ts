import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useReducer, useRef, useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import type { Visitor } from '#components/wallet/useSetup.ts';
import type { AnyOrderRequestInput } from '#lib/api/schemas/order.ts';
import { orderKeys } from '#lib/browser/queries/orders.ts';
import { nextPhase, START } from '#lib/browser/trade/orderPhase.ts';
import type { TicketQuote } from '#lib/browser/trade/quote.ts';
import type { TicketContext } from '#lib/browser/trade/ticketState.ts';
import type { SendProgress } from '#lib/browser/wallet/sendCalls.ts';
import type { SelfSignedOrder } from './selfSignedOrder.ts';
import type { TicketMarket } from './useTicket.ts';
import type { TicketForm } from './useTicketForm.ts';

type Options = {
  market: TicketMarket;
  form: TicketForm;
  visitor: Visitor;
  /** Holds a quote instead of the live one while it is accepted or ordered. */
  setAccepted: (quote: TicketQuote | undefined) => void;
  /** Empties the ticket for the next order. */
  clear: () => void;
  /** The order as it stands, of a ticket whose price limit the visitor sets. */
  ownOrder?: AnyOrderRequestInput | undefined;
};

/** Needed only from the first press on: loaded after the page. */
export const loadOrderSteps = () =>
  import('./orderSteps.ts').catch(() => {
    throw new Error('The page is incomplete. No order was placed. Reload it.');
  });

/**
 * From the confirmation to the order. A worse price stops it until accepted; an attempt with
 * an unknown outcome is repeated unchanged, so that it cannot happen twice.
 */
export function useTicketOrder(options: Options) {
  const { market, form, visitor, setAccepted, clear, ownOrder } = options;
  const { api, site } = useApp();
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState<TicketContext['busy']>('none');
  const [phase, send] = useReducer(nextPhase, START);
  const [preparedFor, setPreparedFor] = useState<SelfSignedOrder>();
  const [progress, setProgress] = useState<SendProgress>();
  const [error, setError] = useState<Error>();
  /** Aborted when the ticket changes: what was asked or issued for the earlier one is over. */
  const turn = useRef(new AbortController());
  const attempt = useRef<AnyOrderRequestInput>(undefined);
  const running = useRef(false);
  useEffect(() => () => endTurn(turn), []);
  // The calls belong to one account; another wallet must not sign them.
  const prepared = preparedFor?.owner === visitor.wallet.address ? preparedFor : undefined;

  /** Runs one step at a time; a second click during a step does nothing. */
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
  const confirm = async (shown: TicketQuote): Promise<AnyOrderRequestInput | undefined> => {
    if (ownOrder) return { ...ownOrder, clientId: crypto.randomUUID() };
    const { confirmOrder } = await loadOrderSteps();
    const { side, action, slippageBps } = form;
    const ask = { ticker: market.ticker, side, action, slippageBps };
    const owner = visitor.wallet.address ?? '';
    const confirmed = await confirmOrder({ api, site }, { ...ask, owner }, shown);
    // Not held: the book may recover, and the live price shows it.
    setAccepted(confirmed?.fresh);
    if (!confirmed)
      throw new Error('Not enough contracts are available anymore. No order was placed.');
    send(confirmed.request ? { kind: 'accepted' } : { kind: 'worsened', than: shown });
    return confirmed.request;
  };

  const report = (orderId: string, { aborted }: AbortSignal) => {
    void queryClient.invalidateQueries({ queryKey: orderKeys.all });
    attempt.current = undefined;
    setPreparedFor(undefined);
    setAccepted(undefined);
    send({ kind: 'placed', orderId });
    // What was typed meanwhile belongs to the next order.
    if (!aborted) clear();
  };

  return {
    busy,
    phase,
    review: () => send({ kind: 'reviewed' }),
    back: () => send({ kind: 'changed' }),
    dismiss: () => send({ kind: 'dismissed' }),
    prepared,
    progress,
    error,
    reset: () => {
      attempt.current = undefined;
      send({ kind: 'changed' });
      setPreparedFor(undefined);
      endTurn(turn);
      setError(undefined);
    },
    place: (shown: TicketQuote) =>
      exclusively('placing', async () => {
        const { signal } = turn.current;
        const request = attempt.current ?? (await confirm(shown));
        if (!request) return;
        attempt.current = request;
        const { placeOrder } = await loadOrderSteps();
        const orderId = await placeOrder({ api, site }, visitor.account, request, () => {
          attempt.current = undefined;
          setAccepted(undefined);
        });
        report(orderId, signal);
      }),
    prepare: (shown: TicketQuote) =>
      exclusively('preparing', async () => {
        const { signal } = turn.current;
        // Loads the texts before preparing anything: without them there is nothing to sign.
        const [{ prepareSelfSignedOrder }] = await Promise.all([
          import('./selfSignedOrder.ts'),
          import('./CallList.tsx'),
        ]);
        const request = await confirm(shown);
        const { account } = visitor;
        if (!request || !account || signal.aborted) return;
        const own = await prepareSelfSignedOrder(site, request, account, signal, (over) =>
          setPreparedFor((shownNow) => (shownNow === over ? undefined : shownNow)),
        );
        if (!signal.aborted) setPreparedFor(own);
      }),
    sign: (own: SelfSignedOrder) =>
      exclusively('signing', async () => {
        const { signal } = turn.current;
        await own.send(setProgress);
        report(own.id, signal);
      }),
  };
}

function endTurn(turn: RefObject<AbortController>): void {
  turn.current.abort();
  turn.current = new AbortController();
}
