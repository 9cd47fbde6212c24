import clsx from 'clsx';
import { useRef, useState } from 'react';
import { Button } from '#components/ui/Button.tsx';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { TEXT_LINK } from '#components/ui/textLink.ts';
import type { OrderRecord } from '#lib/api/schemas/order.ts';
import { cents, centsRounded, contractsRounded, contractsWhole } from '#lib/format/money.ts';
import { awaitsPrice } from '#lib/market/restingOrder.ts';
import { AmendOrder } from './AmendOrder.tsx';
import { FilledBar } from './FilledBar.tsx';
import { filledOf, type LimitView, limitView, untilWords } from './limitView.ts';
import { MarketName } from './MarketName.tsx';
import { orderSummary, statusWords } from './orderView.ts';
import { isCancellable, useCancelOrder } from './useChangeOrder.ts';

type OpenOrderRowProps = { order: OrderRecord; hasName: boolean };

export function OpenOrderRow({ order, hasName }: OpenOrderRowProps) {
  const [isAmending, setIsAmending] = useState(false);
  const amendButton = useRef<HTMLButtonElement>(null);
  const cancel = useCancelOrder(order);
  const view = limitView(order);
  const { verb, what, marketId } = orderSummary(order);
  const name = `${verb} ${what}`;
  const canAmend = view?.isResting === true && !view.isEnding;
  return (
    <li className="nums px-4 py-3 text-14" data-testid="open-order" data-order-id={order.id}>
      <div className="open-order">
        <div className="min-w-0 [grid-area:name]">
          <PageLink href={`/orders/${order.id}`} className={clsx('font-medium', TEXT_LINK)}>
            {name}
          </PageLink>
          {view && <span className="text-ink-2"> at {cents(view.priceMicros)}</span>}
          {hasName && marketId && <MarketName ticker={marketId} />}
        </div>
        {view ? (
          <Progress order={order} view={view} />
        ) : (
          <p className="text-ink-2 [grid-area:filled]">{statusWords(order)}</p>
        )}
        <div className="flex justify-end gap-1.5 [grid-area:actions]">
          {canAmend && (
            <Button
              ref={amendButton}
              size="s"
              tone="quiet"
              aria-label={`Amend: ${name}`}
              aria-expanded={isAmending}
              onClick={() => setIsAmending(!isAmending)}
            >
              Amend
            </Button>
          )}
          {isCancellable(order) && (
            <Button
              size="s"
              tone="outline"
              aria-label={`Cancel: ${name}`}
              isBusy={cancel.isPending}
              onClick={() => cancel.mutate()}
            >
              Cancel
            </Button>
          )}
        </div>
      </div>
      <ErrorNotice error={cancel.error} className="mt-2" />
      {canAmend && isAmending && (
        <AmendOrder
          order={order}
          view={view}
          onDone={() => {
            setIsAmending(false);
            amendButton.current?.focus();
          }}
        />
      )}
    </li>
  );
}

function Progress({ order, view }: { order: OrderRecord; view: LimitView }) {
  const { averageMicros, remainingContractMicros, aheadContractMicros, isResting, isEnding } = view;
  const facts = awaitsPrice(order)
    ? [statusWords(order), untilWords(order), order.reduceOnly && 'Reduce-only']
    : [
        averageMicros !== undefined && `Avg ${centsRounded(averageMicros)}`,
        `${contractsRounded(remainingContractMicros)} left`,
        aheadContractMicros !== undefined &&
          !isEnding &&
          `${contractsWhole(aheadContractMicros)} ahead`,
        isResting && !isEnding ? untilWords(order) : statusWords(order),
        order.postOnly && 'Post-only',
        order.reduceOnly && 'Reduce-only',
      ];
  return (
    <>
      <div className="[grid-area:filled]">
        <p>
          {filledOf(view)} <span className="text-ink-3">filled</span>
        </p>
        <FilledBar view={view} />
      </div>
      <p className="text-13 text-ink-2 [grid-area:facts]">
        {facts.filter((one) => typeof one === 'string').join(' · ')}
      </p>
    </>
  );
}
