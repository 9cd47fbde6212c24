import type { MarketView } from './marketView.ts';

type Outcome = Pick<MarketView, 'label' | 'strikeGroup'>;

/** Outcomes with the part of their labels that the heading does not say. */
export type OutcomeGroup<Market extends Outcome> = {
  /** Undefined for an outcome on its own. */
  heading: string | undefined;
  outcomes: { market: Market; label: string }[];
};

/** "Logan Webb 3+" and "Logan Webb 4+" become "3+" and "4+" below "Logan Webb". */
export function groupOutcomes<Market extends Outcome>(
  markets: readonly Market[],
): OutcomeGroup<Market>[] {
  const groups = new Map<string | Market, Market[]>();
  for (const market of markets) {
    const key = market.strikeGroup ?? market;
    const group = groups.get(key);
    if (group) group.push(market);
    else groups.set(key, [market]);
  }
  return [...groups.values()].flatMap(withHeading);
}

function withHeading<Market extends Outcome>(markets: Market[]): OutcomeGroup<Market>[] {
  const words = markets.map(({ label }) => label.split(' '));
  const shared = sharedCount(words);
  const heading = words[0]
    ?.slice(0, shared)
    .join(' ')
    .replace(/[\s:,–-]+$/, '');
  if (markets.length === 1 || !heading) {
    return markets.map((market) => ({
      heading: undefined,
      outcomes: [{ market, label: market.label }],
    }));
  }
  const outcomes = markets.map((market, index) => ({
    market,
    label: words[index]?.slice(shared).join(' ') ?? market.label,
  }));
  return [{ heading, outcomes }];
}

/** How many words all labels start with; every label keeps at least one of its own. */
function sharedCount(labels: readonly (readonly string[])[]): number {
  const most = Math.min(...labels.map((words) => words.length - 1));
  let count = 0;
  while (count < most && labels.every((words) => words[count] === labels[0]?.[count])) count += 1;
  return count;
}
