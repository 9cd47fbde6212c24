import { useId, useState } from 'react';
import { useGrid } from '#components/book/useGrid.ts';
import { PriceStepper } from '#components/trade/PriceStepper.tsx';
import { Button } from '#components/ui/Button.tsx';
import { Dialog } from '#components/ui/Dialog.tsx';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import { Segmented } from '#components/ui/Segmented.tsx';
import { SignInPrompt } from '#components/wallet/SignInPrompt.tsx';
import { parsePrice, tickBeyond, typedPrice } from '#lib/browser/trade/limitPrice.ts';
import { cents } from '#lib/format/money.ts';
import type { MarketView } from '#lib/market/marketView.ts';
import { marketTitle, sideWord } from '#lib/market/outcomeName.ts';
import { sideRanges } from '#lib/market/ticks.ts';
import { isReached } from '#lib/market/triggerWords.ts';
import { formatMicros } from '#lib/money.ts';
import { AlertList } from './AlertList.tsx';
import { useCreateAlert, usePriceAlerts } from './usePriceAlerts.ts';

export type AlertMarket = Pick<
  MarketView,
  | 'ticker'
  | 'status'
  | 'title'
  | 'label'
  | 'yesBidMicros'
  | 'yesAskMicros'
  | 'noBidMicros'
  | 'noAskMicros'
>;

type AlertDialogProps = { market: AlertMarket; onClose: () => void };

/** Sets an alert on one market and lists those that wait. */
export function AlertDialog({ market, onClose }: AlertDialogProps) {
  return (
    <Dialog title="Price alert" onClose={onClose}>
      <p className="-mt-3 mb-4 text-14 text-ink-2">{marketTitle(market)}</p>
      <SignInPrompt what="your price alerts">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <AlertForm market={market} />
          <OwnAlerts ticker={market.ticker} />
        </div>
      </SignInPrompt>
    </Dialog>
  );
}

type Side = 'yes' | 'no';
type Direction = 'above' | 'below';

function AlertForm({ market }: { market: AlertMarket }) {
  const formId = useId();
  const create = useCreateAlert();
  const [side, setSide] = useState<Side>('yes');
  const [direction, setDirection] = useState<Direction>('above');
  const [typed, setTyped] = useState<string>();
  const grid = sideRanges(useGrid(market.ticker), side);
  const watched = watchedMicros(market, side, direction);
  const proposed = watched === null ? undefined : tickBeyond(watched, grid, direction);
  const text = typed ?? (proposed === undefined ? '' : typedPrice(proposed));
  const price = parsePrice(text, grid);
  const isThere =
    price.state === 'ok' &&
    watched !== null &&
    isReached({ direction, priceMicros: price.micros }, watched);
  const choose = (next: { side?: Side; direction?: Direction }) => {
    if (next.side) setSide(next.side);
    if (next.direction) setDirection(next.direction);
    // Another price is watched.
    setTyped(undefined);
    create.reset();
  };
  return (
    <form
      id={formId}
      className="grid grid-cols-[minmax(0,1fr)] gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (price.state !== 'ok' || isThere) return;
        const { ticker } = market;
        create.mutate({ ticker, side, direction, price: formatMicros(price.micros) });
      }}
    >
      <Segmented
        legend="Outcome"
        value={side}
        onChange={(next) => choose({ side: next })}
        options={SIDES}
      />
      <Segmented
        legend="Direction"
        value={direction}
        onChange={(next) => choose({ direction: next })}
        options={[
          { value: 'above', label: 'Rises to' },
          { value: 'below', label: 'Falls to' },
        ]}
      />
      <PriceStepper
        label="Price"
        text={text}
        grid={grid}
        onChange={(next) => {
          setTyped(next);
          create.reset();
        }}
      >
        <span className="nums text-13 text-ink-2">
          {sideWord(side)} {direction === 'above' ? 'bid' : 'ask'} now{' '}
          {watched === null ? '–' : cents(watched)}
        </span>
      </PriceStepper>
      <p className="min-h-10 text-13 text-ink-2" role="status">
        {create.isSuccess ? 'Alert set. It is on all your devices.' : hint(direction, isThere)}
      </p>
      <ErrorNotice error={create.error} />
      <Button
        type="submit"
        size="l"
        tone="primary"
        aria-disabled={price.state !== 'ok' || isThere}
        isBusy={create.isPending}
      >
        {price.state === 'ok' ? `Alert me at ${cents(price.micros)}` : 'Enter a price'}
      </Button>
    </form>
  );
}

const SIDES = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
] as const;

function hint(direction: Direction, isThere: boolean): string {
  if (isThere) {
    return `This price is already reached. Choose a ${direction === 'above' ? 'higher' : 'lower'} one.`;
  }
  return direction === 'above'
    ? 'Fires once, when you could sell at this price.'
    : 'Fires once, when you could buy at this price.';
}

function watchedMicros(market: AlertMarket, side: Side, direction: Direction): bigint | null {
  if (side === 'yes') return direction === 'above' ? market.yesBidMicros : market.yesAskMicros;
  return direction === 'above' ? market.noBidMicros : market.noAskMicros;
}

function OwnAlerts({ ticker }: { ticker: string }) {
  const { alerts, isError } = usePriceAlerts(ticker);
  const waiting = alerts?.filter(({ status }) => status === 'waiting') ?? [];
  if (isError) return <p className="text-14">Your alerts could not be loaded.</p>;
  if (waiting.length === 0) return null;
  return (
    <section className="border-t pt-3">
      <h3 className="font-medium text-14">Waiting on this market</h3>
      <AlertList alerts={waiting} hasNames={false} />
    </section>
  );
}
