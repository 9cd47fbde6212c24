import dynamic from 'next/dynamic';
import type { EventView } from '#lib/market/marketView.ts';

/** Few events are about a game that is on. */
const LiveScore = dynamic(() => import('./LiveScore.tsx').then((part) => part.LiveScore));

type EventScoreProps = { event: Pick<EventView, 'eventTicker' | 'score'> };

/** The score of the game that an event is about; nothing without a game. */
export function EventScore({ event: { eventTicker, score } }: EventScoreProps) {
  if (score === undefined) return null;
  return (
    <div className="mt-4 max-w-[26rem] empty:hidden">
      <LiveScore eventTicker={eventTicker} initial={score} />
    </div>
  );
}
