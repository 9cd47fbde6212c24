import clsx from 'clsx';
import type { Score } from '#lib/api/schemas/market.ts';

/** From this age on, a score is shown with it. */
const LATE_SECONDS = 20;

type ScoreboardProps = {
  score: Score;
  /** Whether a screen reader announces a changed score. */
  isAnnounced?: boolean;
};

/** Widths do not depend on the numbers, so that nothing moves while they change. */
export function Scoreboard({ score, isAnnounced = false }: ScoreboardProps) {
  const { teams } = score;
  return (
    <div className="flex items-center gap-3 rounded-sm bg-sunken px-3 py-2 text-14">
      <p {...(isAnnounced && { 'aria-live': 'polite' })} className="sr-only">
        {teams.map(({ name, points }) => `${name} ${points}`).join(', ')}
      </p>
      <div aria-hidden className="grid min-w-0 flex-1 gap-0.5">
        {teams.map(({ name, points }, index) => (
          <p key={index === 0 ? 'first' : 'second'} className="flex items-baseline gap-3">
            <span className="wrap-anywhere min-w-0 flex-1">{name}</span>
            <span className="nums min-w-[3ch] text-right font-semibold">{points}</span>
          </p>
        ))}
      </div>
      <p className="nums w-[5.5rem] shrink-0 border-l pl-3 text-13 text-ink-2 leading-snug">
        <Progress score={score} />
      </p>
    </div>
  );
}

function Progress({ score: { phase, statusText, ageSeconds } }: ScoreboardProps) {
  if (phase === 'ended') return statusText;
  const isLate = ageSeconds >= LATE_SECONDS;
  return (
    <>
      <span className={clsx('flex items-center gap-1.5', !isLate && 'font-medium text-ink')}>
        {!isLate && <span aria-hidden className="size-1.5 rounded-full bg-no-solid" />}
        {isLate ? `${ageSeconds} s ago` : 'Live'}
      </span>
      {statusText !== '' && <span className="block whitespace-nowrap">{statusText}</span>}
    </>
  );
}
