import { useQuery } from '@tanstack/react-query';
import { createPortal } from 'react-dom';
import { useApp } from '#components/app/useApp.ts';
import { scoresQuery } from '#lib/browser/queries/markets.ts';
import { Scoreboard } from './Scoreboard.tsx';

/** Draws newer scores over those that the server rendered in the cards of a list. */
export function ScoreFollower({ games }: { games: readonly string[] }) {
  const { api } = useApp();
  const { data } = useQuery(scoresQuery(api, games));
  if (!data) return null;
  const scores = new Map(data.scores.map((score) => [score.eventTicker, score]));
  // An event can have two cards.
  const places = document.querySelectorAll<HTMLElement>('[data-live-score]');
  return [...places].map((place, index) => {
    const score = scores.get(place.dataset.liveScore ?? '');
    // Without a score, something empty takes the place of the old one.
    return createPortal(score ? <Scoreboard score={score} /> : <span />, place, String(index));
  });
}
