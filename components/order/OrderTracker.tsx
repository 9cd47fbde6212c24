'use client';

import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { Check, X } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useApp } from '#components/app/useApp.ts';
import { Button } from '#components/ui/Button.tsx';
import { buttonStyle } from '#components/ui/buttonStyle.ts';
import { useNow } from '#components/ui/clock.ts';
import { Age } from '#components/ui/Durations.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import { PendingPage } from '#components/ui/LoadStates.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { loadOptionalPart } from '#components/ui/loadPart.ts';
import { Notice } from '#components/ui/Notice.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { TEXT_LINK } from '#components/ui/textLink.ts';
import { useTabTitle } from '#components/ui/useTabTitle.ts';
import { SignInPrompt } from '#components/wallet/SignInPrompt.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { isApiProblem } from '#lib/api/problem.ts';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { marketNameQuery } from '#lib/browser/queries/names.ts';
import { orderQuery } from '#lib/browser/queries/orders.ts';
import { isCancelledByOwner } from '#lib/isCancelledByOwner.ts';
import { limitView } from './limitView.ts';
import { MarketName, useNamesKnown } from './MarketName.tsx';
import { OrderFills } from './OrderFills.tsx';
import { OrderReceipt } from './OrderReceipt.tsx';
import {
  isMishap,
  type OrderKind,
  type OrderStep,
  type OrderSummary,
  orderDelayWords,
  orderKind,
  orderSteps,
  orderSummary,
  orderTitle,
  partlyFilled,
  statusWords,
} from './orderView.ts';
import { isCancellable, useCancelOrder } from './useChangeOrder.ts';
import { useOrderSummary } from './useOrderSummary.ts';

/** Rare, with a text for each reason. */
const ReplacementRefused = dynamic(
  () =>
    loadOptionalPart(() => import('./ReplacementRefused.tsx').then((m) => m.ReplacementRefused)),
  { ssr: false },
);

type OrderTrackerProps = {
  id: string;
  reasons: Record<string, string>;
};

export function OrderTracker(props: OrderTrackerProps) {
  return (
    <SignInPrompt what="this order" level={1}>
      <OwnOrder {...props} />
    </SignInPrompt>
  );
}

function OwnOrder({ id, reasons }: OrderTrackerProps) {
  const { api } = useApp();
  const { wallet } = useVisitor();
  const order = useQuery(orderQuery(api, id, wallet.address));
  const isNamed = useNamesKnown(order.data && marketsOf(order.data));
  if (order.data && isNamed)
    return <Tracked order={order.data} reasons={reasons} stale={order.isError} />;
  if (order.isError) {
    const missing = isApiProblem(order.error) && order.error.status < 500 && order.error.status > 0;
    return (
      <EmptyState
        level={1}
        link={{ href: '/orders', label: 'All orders' }}
        title={missing ? 'Order not found' : 'This order could not be loaded'}
        action={
          <Button onClick={() => void order.refetch()} tone="outline">
            Try again
          </Button>
        }
      >
        {missing
          ? 'This order does not exist or belongs to another account. Sign in to the account that placed it.'
          : 'Orders in progress are not affected.'}
      </EmptyState>
    );
  }
  return (
    <PendingPage>
      <div className="skeleton mb-4 h-10 w-64" />
      <div className="skeleton h-72" />
    </PendingPage>
  );
}

function marketsOf(order: OrderRecordWithEvents): string[] {
  const { marketId } = orderSummary(order);
  return marketId === undefined ? [] : [marketId];
}

type TrackedProps = {
  order: OrderRecordWithEvents;
  reasons: Record<string, string>;
  stale: boolean;
};

function Tracked({ order, reasons, stale }: TrackedProps) {
  const summary = useOrderSummary(order);
  useOrderTitle(summary);
  const kind = orderKind(order);
  const partly = partlyFilled(order);
  const refused = order.events.find(({ type }) => type === 'replace_refused')?.detail;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <header>
        <p className="eyebrow">{KIND_WORDS[kind]}</p>
        <h1 className="wrap-anywhere mt-1 font-semibold text-26 tracking-[-0.015em]">
          {summary.verb} {summary.what}
        </h1>
        {summary.marketId && (
          <PageLink href={`/markets/${summary.marketId}`} className="mt-1 block hover:underline">
            <MarketName ticker={summary.marketId} isHead />
          </PageLink>
        )}
        <p
          role="status"
          className="mt-3 font-medium"
          data-testid="order-status"
          data-status={order.status}
        >
          {statusWords(order)}
        </p>
      </header>
      {stale && (
        <Notice tone="caution">Cannot connect right now. Showing the last known status.</Notice>
      )}
      {refused !== undefined && <ReplacementRefused code={refused} />}
      {order.replacedBy !== null && (
        <Replaced id={order.replacedBy} isPlaced={order.isComplete} partly={partly} />
      )}
      {order.status === 'failed' && order.replacedBy === null && (
        <Ending order={order} reasons={reasons} />
      )}
      {partly && order.replacedBy === null && (
        <Notice tone="caution" title={`${partly} ${summary.verb === 'Buy' ? 'bought' : 'sold'}`}>
          {limitView(order)
            ? 'The rest left the book unfilled.'
            : 'The rest could not be filled within your price limit.'}{' '}
          The funds locked for it were returned to your account.
        </Notice>
      )}
      <OrderDelay order={order} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 md:grid-cols-2">
        <OrderStepList order={order} />
        <OrderReceipt order={order} summary={summary} />
      </div>
      <OrderFills events={order.events} />
      <div className="flex flex-wrap gap-2">
        <CancelOrder order={order} />
        {order.status === 'failed' && order.replacedBy === null && (
          <PageLink href={againHref(summary)} className={buttonStyle('primary')}>
            Try again
          </PageLink>
        )}
        <PageLink
          href="/portfolio"
          className={buttonStyle(order.status === 'completed' ? 'primary' : 'outline')}
        >
          Portfolio
        </PageLink>
        <PageLink href="/orders" className={buttonStyle('outline')}>
          All orders
        </PageLink>
      </div>
    </div>
  );
}

function useOrderTitle(summary: OrderSummary): void {
  const { api } = useApp();
  const { marketId } = summary;
  const { data, isPending } = useQuery({
    ...marketNameQuery(api, marketId ?? ''),
    enabled: marketId !== undefined,
  });
  useTabTitle(marketId !== undefined && isPending ? undefined : orderTitle(summary, data));
}

type ReplacedProps = { id: string; isPlaced: boolean; partly: string | undefined };

function Replaced({ id, isPlaced, partly }: ReplacedProps) {
  return (
    <Notice title={isPlaced ? 'Another order took its place' : 'Another order takes its place'}>
      You changed its price or size beyond the funds that were locked.{' '}
      {partly && `${partly} were filled before. `}
      {isPlaced && (
        <PageLink href={`/orders/${id}`} className={TEXT_LINK}>
          Open the new order
        </PageLink>
      )}
    </Notice>
  );
}

/** Why an order ended without a trade, and where its funds are. */
function Ending({ order, reasons }: Omit<TrackedProps, 'stale'>) {
  const reason = order.terminationReason;
  if (
    isCancelledByOwner(order) &&
    order.balanceValidatedAt === null &&
    !order.returnedQuoteAmount
  ) {
    return (
      <Notice title="You cancelled before the order reached the chain">
        No funds moved. If its transaction is still sent, nothing is traded and the funds are
        returned right away.
      </Notice>
    );
  }
  const what = `The ${KIND_WORDS[orderKind(order)].toLowerCase()}`;
  return (
    <Notice
      tone={isMishap(order) ? 'problem' : 'plain'}
      title={isMishap(order) ? `${what} failed` : `${what} was cancelled`}
    >
      {reason === null ? 'No reason was given.' : (reasons[reason] ?? reason)}
    </Notice>
  );
}

const KIND_WORDS: Record<OrderKind, string> = {
  trade: 'Order',
  redemption: 'Redemption',
  withdrawal: 'Withdrawal',
};

function againHref({ side = 'yes', verb, marketId }: OrderSummary): string {
  if (verb === 'Withdraw' || marketId === undefined) return '/withdraw';
  return `/markets/${marketId}?side=${side}&action=${verb === 'Buy' ? 'buy' : 'sell'}`;
}

/** After a while without progress: a message that it takes longer and that the money is safe. */
function OrderDelay({ order }: { order: OrderRecordWithEvents }) {
  const now = useNow();
  const words = now === undefined ? undefined : orderDelayWords(order, now);
  if (!words) return null;
  return (
    <Notice tone="caution" title="This is taking longer than usual">
      {words}
    </Notice>
  );
}

function CancelOrder({ order }: { order: OrderRecordWithEvents }) {
  const { session } = useVisitor();
  const cancel = useCancelOrder(order);
  const isPossible = isCancellable(order) && session !== undefined;
  return (
    <>
      {isPossible && (
        <Button
          disabled={cancel.isSuccess}
          onClick={() => cancel.mutate()}
          isBusy={cancel.isPending}
        >
          {cancel.isSuccess ? 'Cancelling' : 'Cancel'}
        </Button>
      )}
      <ErrorNotice error={cancel.error} />
    </>
  );
}

function OrderStepList({ order }: { order: OrderRecordWithEvents }) {
  const steps = orderSteps(order);
  const since = steps.findLast((step) => step.at)?.at ?? order.createdAt;
  return (
    <ol className="sheet px-5 py-5" aria-label="Progress">
      {steps.map((step, index) => (
        <li key={step.name} className="relative flex gap-3.5 pb-6 last:pb-0">
          {index < steps.length - 1 && (
            <span
              aria-hidden
              className={clsx(
                'absolute top-7 bottom-1 left-[11px] w-0.5',
                step.state === 'done' ? 'bg-ink' : 'bg-line',
              )}
            />
          )}
          <StepMark state={step.state} />
          <div className="min-w-0 flex-1">
            <p className="flex items-baseline justify-between gap-3">
              <span
                className={clsx(
                  'font-medium',
                  (step.state === 'waiting' || step.state === 'left out') && 'text-ink-3',
                )}
              >
                {step.name}
                <span className="sr-only">, {WORDS[step.state]}</span>
              </span>
              <span className="nums shrink-0 text-13 text-ink-3">
                {step.at && step.state === 'done' && <LocalTime at={step.at} format="clock" />}
                {step.state === 'resting' && order.restingSince && (
                  <LocalTime at={order.restingSince} />
                )}
                {step.state === 'current' && <Age sinceMs={Date.parse(since)} />}
              </span>
            </p>
            <p className={clsx('text-14', step.state === 'failed' ? 'text-no' : 'text-ink-3')}>
              {step.state === 'failed' || step.state === 'left out'
                ? 'Not reached'
                : step.explanation}
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}

const WORDS: Record<OrderStep['state'], string> = {
  done: 'done',
  current: 'in progress',
  resting: 'waiting',
  waiting: 'not yet',
  failed: 'failed',
  'left out': 'not reached',
};

function StepMark({ state }: { state: OrderStep['state'] }) {
  return (
    <span
      aria-hidden
      className={clsx(
        'grid size-6 shrink-0 place-items-center rounded-full',
        state === 'done' && 'bg-ink text-on-ink',
        state === 'current' && 'bg-sunken text-ink',
        state === 'resting' && 'border-2 border-ink',
        (state === 'waiting' || state === 'left out') && 'border-2 border-line',
        state === 'failed' && 'bg-no-solid text-on-solid',
      )}
    >
      {state === 'done' && <Check className="size-3.5" strokeWidth={3} />}
      {state === 'failed' && <X className="size-3.5" strokeWidth={3} />}
      {state === 'current' && <Spinner />}
    </span>
  );
}
