import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import type { Score } from '#lib/api/schemas/market.ts';
import { scoresQuery } from '#lib/browser/queries/markets.ts';
import { Scoreboard } from './Scoreboard.tsx';

type LiveScoreProps = {
  eventTicker: string;
  /** As the server rendered it; null while it has none. */
  initial: Score | null;
};

export function LiveScore({ eventTicker, initial }: LiveScoreProps) {
  const { api } = useApp();
  const { data } = useQuery(scoresQuery(api, [eventTicker]));
  const score = data ? data.scores[0] : initial;
  return score ? <Scoreboard score={score} isAnnounced /> : null;
}
