import { Button } from '#components/ui/Button.tsx';
import { buttonStyle } from '#components/ui/buttonStyle.ts';
import { PageLink } from '#components/ui/PageLink.tsx';
import { useOwnerWords } from '#lib/browser/wallet/useOwnerWords.ts';
import { positionName } from '#lib/market/outcomeName.ts';
import { groupOf, type PositionView } from '#lib/portfolio/positionView.ts';
import { useRedeem } from './useRedeem.ts';

export function PositionAction({ position }: { position: PositionView }) {
  const { redeem, isPending, isResting, asksWallet, error } = useRedeem();
  const { confirm } = useOwnerWords();
  const what = positionName(position).outcome;
  const group = groupOf(position);
  if (group === 'open') {
    return (
      <PageLink
        href={`/markets/${position.marketId}?side=${position.side}&action=sell`}
        className={`${buttonStyle('outline', 's')} max-md:min-w-20`}
        aria-label={`Sell ${what}`}
      >
        Sell
      </PageLink>
    );
  }
  if (group === 'redeemable') {
    return (
      <span className="grid justify-items-end gap-1">
        <Button
          size="s"
          tone="yes"
          className="max-md:min-w-20"
          aria-label={`Redeem ${what}`}
          aria-disabled={isResting}
          onClick={() => redeem(position)}
          isBusy={isPending}
        >
          Redeem
        </Button>
        {asksWallet && (
          <span role="status" className="text-right text-13 text-ink-2">
            {confirm}
          </span>
        )}
        {error && (
          <span role="alert" className="max-w-56 text-right text-13 text-no">
            {error.message}
          </span>
        )}
      </span>
    );
  }
  return (
    <span className="text-13 text-ink-3">
      {group === 'lost'
        ? 'No payout'
        : position.status === 'settled'
          ? 'Payout soon'
          : 'Awaiting result'}
    </span>
  );
}
