import { useEffect, useId, useRef, useState } from 'react';
import { useGrid } from '#components/book/useGrid.ts';
import { PriceStepper } from '#components/trade/PriceStepper.tsx';
import { Button } from '#components/ui/Button.tsx';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import { AmountInput } from '#components/ui/Field.tsx';
import type { AmendOrderRequest } from '#lib/api/schemas/limitOrder.ts';
import type { OrderRecord } from '#lib/api/schemas/order.ts';
import { parseAmount } from '#lib/browser/trade/amount.ts';
import { parsePrice, typedPrice } from '#lib/browser/trade/limitPrice.ts';
import { typedMicros } from '#lib/format/decimalInput.ts';
import { sideRanges } from '#lib/market/ticks.ts';
import { formatMicros, parseMicros } from '#lib/money.ts';
import type { LimitView } from './limitView.ts';
import { useAmendOrder } from './useChangeOrder.ts';

type AmendOrderProps = { order: OrderRecord; view: LimitView; onDone: () => void };

/**
 * Price and size of a resting order. The exchange changes it in place within what the vault has
 * locked; beyond that, another order takes its place.
 */
export function AmendOrder({ order, view, onDone }: AmendOrderProps) {
  const id = useId();
  const amend = useAmendOrder(order);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector('input')?.focus();
    form.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const grid = sideRanges(useGrid(view.ticker), view.side);
  const [priceText, setPriceText] = useState(() => typedPrice(view.priceMicros));
  const [sizeText, setSizeText] = useState(() => typedMicros(view.sizeContractMicros));
  const price = parsePrice(priceText, grid);
  const size = parseAmount(sizeText, 'contracts');
  const change: AmendOrderRequest = {
    ...(price.micros !== view.priceMicros && { limitPrice: formatMicros(price.micros) }),
    ...(size.micros !== view.sizeContractMicros && { baseQuantity: formatMicros(size.micros) }),
  };
  const isSmaller = size.micros < view.sizeContractMicros && change.limitPrice === undefined;
  const isRead = price.state === 'ok' && size.state === 'ok';
  const isBeyond = isRead && exceedsLock(order, view, price.micros, size.micros);
  const isPossible =
    isRead &&
    !(isBeyond && order.source === 'calldata') &&
    size.micros > view.filledContractMicros &&
    Object.keys(change).length > 0;
  return (
    <form
      ref={form}
      // On a phone the bar of the ticket is below.
      className="mt-3 grid scroll-mb-40 gap-3 border-t pt-3 lg:scroll-mb-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isPossible) amend.mutate(change, { onSuccess: onDone });
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onDone();
      }}
    >
      <div className="grid @min-[30rem]:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-end gap-3">
        <PriceStepper label="New price" text={priceText} grid={grid} onChange={setPriceText} />
        <div className="grid gap-2">
          <label htmlFor={id} className="font-medium text-14">
            Contracts, filled included
          </label>
          <AmountInput id={id} value={sizeText} onChange={setSizeText} />
        </div>
        <div className="flex gap-2">
          <Button
            type="submit"
            tone="primary"
            aria-disabled={!isPossible}
            isBusy={amend.isPending}
            className="flex-1"
          >
            {isBeyond ? 'Replace' : 'Save'}
          </Button>
          <Button tone="quiet" onClick={onDone} className="flex-1">
            Discard
          </Button>
        </div>
      </div>
      <p className="text-13 text-ink-3">
        {price.state === 'not_a_tick'
          ? 'This price is not a tick of the market.'
          : isSmaller
            ? 'The order keeps its place in the queue.'
            : isBeyond
              ? BEYOND_WORDS[order.source]
              : 'A new price or a larger size goes to the end of the queue.'}
      </p>
      <ErrorNotice error={amend.error} />
    </form>
  );
}

const BEYOND_WORDS = {
  api: 'This needs more than the order has locked. It ends, and a new order takes its place at the end of the queue.',
  calldata: 'This needs more than you have locked for the order. Cancel it and place a new one.',
};

/** Whether the change needs more than the order's request has locked. */
function exceedsLock(
  { action }: OrderRecord,
  view: LimitView,
  priceMicros: bigint,
  sizeMicros: bigint,
): boolean {
  if (action.orderType !== 'LimitOrder') return false;
  const lockedMicros = parseMicros(action.order.limitPrice);
  const isWorse = view.action === 'buy' ? priceMicros > lockedMicros : priceMicros < lockedMicros;
  return isWorse || sizeMicros > parseMicros(action.order.baseQuantity);
}
