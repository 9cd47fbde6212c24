import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { Check, CircleAlert, CircleDashed, X } from 'lucide-react';
import { useApp } from '#components/app/useApp.ts';
import {
  type LimitView,
  limitView,
  partWords,
  restWords,
  untilWords,
} from '#components/order/limitView.ts';
import { orderFigures } from '#components/order/orderFigures.ts';
import { isMishap, orderSummary, partlyFilled, statusWords } from '#components/order/orderView.ts';
import { isCancellable, useCancelOrder } from '#components/order/useChangeOrder.ts';
import { MergePairs } from '#components/portfolio/MergePairs.tsx';
import { Button } from '#components/ui/Button.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { TEXT_LINK } from '#components/ui/textLink.ts';
import type { OrderRecord } from '#lib/api/schemas/order.ts';
import { orderQuery } from '#lib/browser/queries/orders.ts';
import { centsRounded, contractsRounded, contractsWhole, dollars } from '#lib/format/money.ts';
import { awaitsPrice, isParked } from '#lib/market/restingOrder.ts';
import { parseMicros } from '#lib/money.ts';

type PlacedOrderProps = { id: string; owner: string | undefined; onDismiss: () => void };

/** The order that the ticket has just placed: its progress, then its fill, in place. */
export function PlacedOrder({ id, owner, onDismiss }: PlacedOrderProps) {
  const { api } = useApp();
  const { data: order, isError } = useQuery(orderQuery(api, id, owner));
  // Another wallet is connected by now.
  if (isError && !order) return null;
  const failed = order !== undefined && isMishap(order);
  return (
    <section
      aria-label="Your order"
      data-testid="placed-order"
      data-order={id}
      data-status={order?.status ?? 'pending'}
      className={clsx('rounded-md p-3 text-14', failed ? 'bg-no-soft' : 'bg-sunken')}
    >
      <div className="flex items-start gap-2.5">
        <OrderMark order={order} />
        <div role="status" className="min-w-0 flex-1">
          <p className="font-medium">{order ? headline(order) : 'Order received'}</p>
          {order && <Outcome order={order} />}
        </div>
        {order && isParked(order) && <CancelPlaced order={order} />}
        {order?.isComplete && (
          <button
            type="button"
            aria-label="Dismiss"
            onClick={onDismiss}
            className="-m-2 grid size-11 shrink-0 place-items-center rounded-md text-ink-3 hover:text-ink"
          >
            <X aria-hidden className="size-4" />
          </button>
        )}
      </div>
      <PageLink href={`/orders/${id}`} className={clsx('mt-1 ml-7.5 inline-block', TEXT_LINK)}>
        Details
      </PageLink>
      {order && <PairsOfPlaced order={order} />}
    </section>
  );
}

/** Who has bought the other side of what they hold need not wait for the result. */
function PairsOfPlaced({ order }: { order: OrderRecord }) {
  const { verb, marketId } = orderSummary(order);
  if (order.status !== 'completed' || verb !== 'Buy' || !marketId) return null;
  return <MergePairs marketId={marketId} className="mt-2 ml-7.5" />;
}

function OrderMark({ order }: { order: OrderRecord | undefined }) {
  const style = 'mt-0.5 size-5 shrink-0';
  if (order && isMishap(order)) return <CircleAlert aria-hidden className={`${style} text-no`} />;
  if (order?.status === 'completed') return <Check aria-hidden className={`${style} text-yes`} />;
  if (order && (order.isComplete || isParked(order)))
    return <CircleDashed aria-hidden className={style} />;
  return (
    <span className={style}>
      <Spinner />
    </span>
  );
}

function CancelPlaced({ order }: { order: OrderRecord }) {
  const cancel = useCancelOrder(order);
  return (
    <Button
      size="s"
      tone="outline"
      aria-disabled={!isCancellable(order)}
      isBusy={cancel.isPending}
      onClick={() => isCancellable(order) && cancel.mutate()}
    >
      Cancel
    </Button>
  );
}

function headline(order: OrderRecord): string {
  const view = limitView(order);
  const resting = order.replacedBy === null && view && (partWords(view) ?? restWords(view));
  if (resting) return resting;
  const { verb, side } = orderSummary(order);
  const word = side === 'no' ? 'No' : 'Yes';
  const { contractMicros, averageMicros } = orderFigures(order);
  if (averageMicros === undefined || contractMicros === undefined) return statusWords(order);
  const done = verb === 'Buy' ? 'Bought' : 'Sold';
  return `${done} ${contractsRounded(contractMicros)} ${word} at ${centsRounded(averageMicros)}`;
}

function Outcome({ order }: { order: OrderRecord }) {
  if (order.replacedBy !== null) {
    return <p className="text-ink-2">Another order takes its place at the new price or size.</p>;
  }
  if (order.status === 'failed') {
    return (
      <p className="text-ink-2">
        {order.terminationReason === 'price_moved'
          ? 'The price moved beyond your limit before the order filled. Nothing was spent.'
          : 'Nothing was traded. Your funds are back in your account.'}
      </p>
    );
  }
  const view = limitView(order);
  if (awaitsPrice(order)) {
    return (
      <p className="text-ink-2">Its funds are locked. It goes to the exchange at this price.</p>
    );
  }
  if (view?.isResting) return <p className="nums text-ink-2">{queueWords(order, view)}</p>;
  const { usdcMicros, averageMicros } = orderFigures(order);
  if (usdcMicros === undefined || averageMicros === undefined) return null;
  const isBuy = orderSummary(order).verb === 'Buy';
  const part = partlyFilled(order);
  return (
    <p className="nums text-ink-2">
      {isBuy ? 'Paid' : 'Received'} {dollars(usdcMicros)}, fee of{' '}
      {dollars(parseMicros(order.feeQuoteAmount ?? '0'))} {isBuy ? 'included' : 'deducted'}
      {part && <span className="block">Filled {part}. The rest is back in your account.</span>}
      {!order.isComplete && <span className="block">Being delivered to your account</span>}
    </p>
  );
}

/** "28 left · 120 ahead · Till cancelled". */
function queueWords(order: OrderRecord, view: LimitView): string {
  const { remainingContractMicros, aheadContractMicros, isEnding } = view;
  if (isEnding) return 'What is not filled returns to your account.';
  return [
    `${contractsRounded(remainingContractMicros)} left`,
    ...(aheadContractMicros === undefined ? [] : [`${contractsWhole(aheadContractMicros)} ahead`]),
    untilWords(order),
  ].join(' · ');
}
