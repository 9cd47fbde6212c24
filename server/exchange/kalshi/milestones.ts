import type { CatalogueEvent, ExchangeMilestone } from '../catalogue.ts';
import { asList, moment, text, type Wire } from './wire.ts';

type About = { milestone: ExchangeMilestone; eventTickers: string[] };

/** A milestone and its events; undefined without a start or a name. */
export function readMilestone(wire: Wire): About | undefined {
  const id = text(wire, 'id');
  const startsAt = moment(wire.start_date);
  if (id === '' || !startsAt) return undefined;
  const related = [...asList(wire.primary_event_tickers), ...asList(wire.related_event_tickers)];
  return {
    milestone: {
      id,
      type: text(wire, 'type', 'category'),
      title: text(wire, 'title') || id,
      startsAt,
      endsAt: moment(wire.end_date) ?? null,
    },
    eventTickers: [...new Set(related.filter((ticker) => typeof ticker === 'string'))],
  };
}

/** Assigns each event its milestones, the earliest first. */
export function withMilestones(events: CatalogueEvent[], received: About[]): CatalogueEvent[] {
  return events.map((event) => ({
    ...event,
    milestones: received
      .filter(({ eventTickers }) => eventTickers.includes(event.eventTicker))
      .map(({ milestone }) => milestone)
      .sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime()),
  }));
}
