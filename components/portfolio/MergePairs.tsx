import clsx from 'clsx';
import { Button } from '#components/ui/Button.tsx';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { presentOwnerWords } from '#lib/browser/wallet/ownerWords.ts';
import { pairsOfBoth } from '#lib/format/contractsOf.ts';
import { dollars } from '#lib/format/money.ts';
import { pairsOf } from '#lib/portfolio/pairs.ts';
import { type PreparedMerge, useMerge } from './useMerge.ts';
import { usePositions } from './usePositions.ts';

/**
 * Offers a holder of both sides of a market to turn the pairs into dollars. The first press shows what
 * is signed, the second one has the wallet send it.
 */
export function MergePairs({ marketId, className }: { marketId: string; className: string }) {
  const { account } = useVisitor();
  const contractMicros = pairsOf(usePositions() ?? [], marketId);
  const { prepare, send } = useMerge(account, marketId);
  const reviewed = send.isSuccess ? undefined : prepare.data;
  if (contractMicros === 0n && !send.isSuccess) return null;
  return (
    <div className={clsx('grid justify-items-start', className)}>
      <div role="status" className="not-empty:mb-3">
        {reviewed && <MergeReview merge={reviewed} />}
        {send.data !== undefined && contractMicros === 0n && (
          <p className="text-14 text-ink-2">
            {pairsOfBoth(send.data)} became {dollars(send.data)}.
          </p>
        )}
      </div>
      <ErrorNotice error={send.error ?? prepare.error} className="mb-3" />
      {contractMicros > 0n && (
        <span className="flex flex-wrap gap-2">
          <Button
            size="s"
            tone={reviewed ? 'primary' : 'outline'}
            // A disabled button would lose the focus.
            aria-disabled={send.isPending}
            isBusy={prepare.isPending || send.isPending}
            onClick={() => {
              if (prepare.isPending || send.isPending) return;
              if (reviewed) send.mutate(reviewed);
              else {
                send.reset();
                prepare.mutate(contractMicros);
              }
            }}
          >
            {send.isPending
              ? presentOwnerWords().confirm
              : reviewed
                ? 'Confirm merge'
                : `Merge ${pairsOfBoth(contractMicros)} into ${dollars(contractMicros)}`}
          </Button>
          {reviewed && !send.isPending && (
            <Button size="s" onClick={prepare.reset}>
              Cancel
            </Button>
          )}
        </span>
      )}
    </div>
  );
}

function MergeReview({ merge }: { merge: PreparedMerge }) {
  const { words, contractMicros } = merge;
  const isUnderstood = words.every((call) => call.understood);
  return (
    <Notice
      tone={isUnderstood ? 'plain' : 'caution'}
      title={`Merge ${pairsOfBoth(contractMicros)} into ${dollars(contractMicros)}?`}
    >
      {words.map((call) => (
        <span key={call.text} className="block">
          {call.text}
        </span>
      ))}
      {isUnderstood
        ? `Crossbook charges no fee. ${feeWords(merge)}`
        : 'One of these calls could not be decoded. Do not sign.'}
    </Notice>
  );
}

function feeWords({ isRelayed, calls: { length } }: PreparedMerge): string {
  if (isRelayed) return 'You sign one message, and Crossbook pays the network fee.';
  return `Your wallet sends ${length === 1 ? 'one transaction' : `${length} transactions`} and pays the network fee.`;
}
