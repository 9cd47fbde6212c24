import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Printer } from 'lucide-react';
import { useApp } from '#components/app/useApp.ts';
import { SharePosition } from '#components/share/SharePosition.tsx';
import { Button } from '#components/ui/Button.tsx';
import { Figure, Figures } from '#components/ui/Figures.tsx';
import { Hex } from '#components/ui/Hex.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { ShareButton } from '#components/ui/ShareButton.tsx';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { marketNameQuery } from '#lib/browser/queries/names.ts';
import { divide, MICROS, parseMicros } from '#lib/money.ts';
import { orderFigures } from './orderFigures.ts';
import type { OrderSummary } from './orderView.ts';
import { exact, type ReceiptRow, receiptRows, rounded } from './receiptRows.ts';
import { receiptText } from './receiptText.ts';
import { TransactionLink } from './TransactionLink.tsx';
import { ValueNow } from './ValueNow.tsx';

type ReceiptProps = { order: OrderRecordWithEvents; summary: OrderSummary };

export function OrderReceipt({ order, summary }: ReceiptProps) {
  const rows = receiptRows(order);
  return (
    <section aria-label="Receipt" className="sheet px-5 py-5">
      <Figures>
        {rows.map((row) => (
          <Figure key={row.label} label={row.label} strong={row.strong === true}>
            {rounded(row)}
          </Figure>
        ))}
        <Withdrawn order={order} summary={summary} />
        <Figure label="Smart account">
          <Hex value={order.accountAddress} name="smart account address" />
        </Figure>
        {order.transactionHash && (
          <Figure label="Transaction">
            <TransactionLink hash={order.transactionHash} />
          </Figure>
        )}
        <Figure label="Created">
          <LocalTime at={order.createdAt} />
        </Figure>
        {order.trigger?.triggeredAt && (
          <Figure label="Triggered">
            <LocalTime at={order.trigger.triggeredAt} />
          </Figure>
        )}
        <Figure label="Order id">
          <Hex value={order.id} name="order id" />
        </Figure>
      </Figures>
      <ExactAmounts rows={rows} />
      {order.isComplete && <TakeAway order={order} summary={summary} />}
    </section>
  );
}

/** Every digit, where rounding has left some out. */
function ExactAmounts({ rows }: { rows: ReceiptRow[] }) {
  const differing = rows.filter((row) => exact(row) !== rounded(row));
  if (differing.length === 0) return null;
  return (
    <details className="group mt-3">
      <summary className="flex min-h-11 list-none items-center gap-2 text-14 text-ink-2 hover:text-ink md:min-h-8 [&::-webkit-details-marker]:hidden">
        <ChevronDown
          aria-hidden
          className="size-4 transition-transform duration-(--quick) group-open:rotate-180"
        />
        Exact amounts
      </summary>
      <Figures className="mt-1">
        {differing.map((row) => (
          <Figure key={row.label} label={row.label}>
            {exact(row)}
          </Figure>
        ))}
      </Figures>
    </details>
  );
}

function TakeAway({ order, summary }: ReceiptProps) {
  const { api } = useApp();
  const { data } = useQuery({
    ...marketNameQuery(api, summary.marketId ?? ''),
    enabled: summary.marketId !== undefined,
  });
  return (
    <div className="mt-5 flex flex-wrap gap-2 print:hidden">
      <Button size="s" tone="outline" onClick={() => window.print()}>
        <Printer aria-hidden className="size-[17px]" />
        Print
      </Button>
      <ShareButton label="Share receipt" text={receiptText(order, summary, data)} withWord />
      <ShareTrade order={order} summary={summary} />
    </div>
  );
}

/** A picture of a filled trade; withdrawals and payouts have no side to show. */
function ShareTrade({ order, summary: { verb, marketId, side } }: ReceiptProps) {
  const { averageMicros, contractMicros, usdcMicros } = orderFigures(order);
  if (!marketId || !side || averageMicros === undefined) return null;
  if (!contractMicros || usdcMicros === undefined) return null;
  return (
    <SharePosition
      ticker={marketId}
      label="Share picture"
      withWord
      position={{
        side,
        kind: verb === 'Sell' ? 'sold' : 'held',
        // With the fee, as the cost of a position is.
        priceMicros: divide(usdcMicros * MICROS, contractMicros, 'nearest'),
        contractMicros,
      }}
    />
  );
}

function Withdrawn({ order: { action }, summary: { marketId, side } }: ReceiptProps) {
  if (action.orderType !== 'Withdraw') return null;
  const { amount, destinationAddress } = action.withdrawal;
  return (
    <>
      {marketId && side && (
        <Figure label="Value now">
          <ValueNow marketId={marketId} side={side} contractMicros={parseMicros(amount)} />
        </Figure>
      )}
      <Figure label="To">
        <Hex value={destinationAddress} name="destination" />
      </Figure>
    </>
  );
}
