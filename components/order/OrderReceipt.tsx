import { Printer } from 'lucide-react';
import { SharePosition } from '#components/share/SharePosition.tsx';
import { Button } from '#components/ui/Button.tsx';
import { Figure, Figures } from '#components/ui/Figures.tsx';
import { Hex } from '#components/ui/Hex.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { ShareButton } from '#components/ui/ShareButton.tsx';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { centsRounded, contracts, dollarsExact } from '#lib/format/money.ts';
import { parseMicros } from '#lib/money.ts';
import { orderFigures } from './orderFigures.ts';
import { orderSummary } from './orderView.ts';
import { receiptText } from './receiptText.ts';
import { TransactionLink } from './TransactionLink.tsx';

export function OrderReceipt({ order }: { order: OrderRecordWithEvents }) {
  return (
    <section aria-label="Receipt" className="sheet px-5 py-5">
      <Figures>
        <Amounts order={order} />
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
        <Figure label="Order id">
          <Hex value={order.id} name="order id" />
        </Figure>
      </Figures>
      {order.isComplete && <TakeAway order={order} />}
    </section>
  );
}

function TakeAway({ order }: { order: OrderRecordWithEvents }) {
  return (
    <div className="mt-5 flex flex-wrap gap-2 print:hidden">
      <Button size="s" tone="outline" onClick={() => window.print()}>
        <Printer aria-hidden className="size-[17px]" />
        Print
      </Button>
      <ShareButton label="Share receipt" text={receiptText(order)} withWord />
      <ShareTrade order={order} />
    </div>
  );
}

/** A picture of a filled trade; withdrawals and payouts have no side to show. */
function ShareTrade({ order }: { order: OrderRecordWithEvents }) {
  const { verb, marketId, side } = orderSummary(order);
  const { averageMicros, contractMicros } = orderFigures(order);
  if (!marketId || !side || averageMicros === undefined) return null;
  return (
    <SharePosition
      ticker={marketId}
      label="Share picture"
      withWord
      position={{
        side,
        kind: verb === 'Sell' ? 'sold' : 'held',
        priceMicros: averageMicros,
        contractMicros,
      }}
    />
  );
}

function Amounts({ order }: { order: OrderRecordWithEvents }) {
  const { action } = order;
  if (action.orderType === 'Withdraw') {
    return (
      <>
        <Figure label="Amount" strong>
          {orderSummary(order).what}
        </Figure>
        <Figure label="To">
          <Hex value={action.withdrawal.destinationAddress} name="destination" />
        </Figure>
      </>
    );
  }
  if (order.isRedemption) return <Redeemed order={order} />;
  const buy = action.order.orderType === 'BUY';
  const { averageMicros } = orderFigures(order);
  const limit = buy ? action.order.maxQuoteQuantityIn : action.order.minQuoteQuantityOut;
  return (
    <>
      <Figure label="Contracts ordered">{contracts(parseMicros(action.order.baseQuantity))}</Figure>
      <Optional
        label={buy ? 'Contracts bought' : 'Contracts sold'}
        value={order.filledBaseQuantity}
        strong
        words={contracts}
      />
      {averageMicros !== undefined && (
        <Figure label="Avg price">{centsRounded(averageMicros)}</Figure>
      )}
      <Optional
        label={buy ? 'Paid' : 'Received'}
        value={order.quoteAmount}
        strong
        words={dollarsExact}
      />
      <Optional label="Fee" value={order.feeQuoteAmount} words={dollarsExact} />
      <Optional
        label={buy ? 'Max cost' : 'Min proceeds'}
        value={limit ?? null}
        words={dollarsExact}
      />
      <Improvement order={order} limit={limit} isBuy={buy} />
      {order.isComplete && (
        <>
          <Returned label="USDC returned" value={order.returnedQuoteAmount} words={dollarsExact} />
          <Returned
            label="Contracts returned"
            value={order.returnedBaseQuantity}
            words={contracts}
          />
        </>
      )}
    </>
  );
}

/** A payout has neither price limit nor fee: the result determines the value of each token. */
function Redeemed({ order }: { order: OrderRecordWithEvents }) {
  return (
    <>
      <Figure label="Redeemed">{orderSummary(order).what}</Figure>
      <Optional label="Received" value={order.quoteAmount} strong words={dollarsExact} />
    </>
  );
}

type ImprovementProps = { order: OrderRecordWithEvents; limit: string | undefined; isBuy: boolean };

/** The improvement over the price limit; only for an order that was filled completely. */
function Improvement({ order, limit, isBuy }: ImprovementProps) {
  if (order.action.orderType === 'Withdraw' || !order.quoteAmount || limit === undefined)
    return null;
  if (order.filledBaseQuantity !== order.action.order.baseQuantity) return null;
  const difference = isBuy
    ? parseMicros(limit) - parseMicros(order.quoteAmount)
    : parseMicros(order.quoteAmount) - parseMicros(limit);
  if (difference <= 0n) return null;
  return <Figure label="Price improvement">{dollarsExact(difference)}</Figure>;
}

type OptionalProps = {
  label: string;
  value: string | null;
  strong?: boolean;
  words: (micros: bigint) => string;
};

function Optional({ label, value, strong = false, words }: OptionalProps) {
  if (value === null) return null;
  return (
    <Figure label={label} strong={strong}>
      {words(parseMicros(value))}
    </Figure>
  );
}

function Returned(props: OptionalProps) {
  if (props.value === null || parseMicros(props.value) === 0n) return null;
  return <Optional {...props} />;
}
