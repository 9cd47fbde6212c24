import { logistic, logitOf, type Underlying, underlyingAt } from '../fairPrice.ts';
import { hash32, unit } from '../random.ts';
import type { EventSpec, MarketSpec } from './template.ts';

/** Builders of a round's markets, shared by all templates. */

/** A writer of numbers, made once for many of them, as that is the slow part. */
export function withDecimals(most: number, least = most): (value: number) => string {
  const numbers = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: least,
    maximumFractionDigits: most,
  });
  return (value) => numbers.format(value);
}

export type Question = {
  suffix: string;
  title: string;
  subTitle?: string;
  rules: string;
  /** The starting belief. */
  chance: number;
  swing?: number;
  popularity?: number;
};

/** One yes-or-no question as an event with a single market. */
export function question(seed: number, key: string, q: Question): EventSpec {
  const own = hash32(seed, key, q.suffix);
  const logit = logitOf(q.chance);
  return {
    suffix: q.suffix,
    title: q.title,
    subTitle: q.subTitle ?? '',
    mutuallyExclusive: false,
    model: {
      kind: 'binary',
      seed: own,
      logit,
      swing: q.swing ?? 0.5,
      outcomeYes: unit(own, 'outcome') < logistic(logit),
    },
    markets: [
      {
        suffix: '',
        title: q.title,
        yesSubTitle: q.subTitle || 'Yes',
        noSubTitle: q.subTitle || 'No',
        rulesPrimary: q.rules,
        strike: { type: 'custom', custom: q.suffix },
      },
    ],
    ...(q.popularity === undefined ? {} : { popularity: q.popularity }),
  };
}

export type Choice = { code: string; name: string; weight: number };

/** One question with several answers of which exactly one comes true. */
export function oneOf(
  seed: number,
  key: string,
  q: {
    suffix: string;
    title: string;
    subTitle?: string;
    choices: Choice[];
    rules: (name: string) => string;
    marketTitle?: (name: string) => string;
    swing?: number;
    popularity?: number;
  },
): EventSpec {
  const own = hash32(seed, key, q.suffix);
  const total = q.choices.reduce((sum, choice) => sum + choice.weight, 0);
  let left = unit(own, 'winner') * total;
  let winner = q.choices.findIndex((choice) => {
    left -= choice.weight;
    return left < 0;
  });
  if (winner < 0) winner = 0;
  return {
    suffix: q.suffix,
    title: q.title,
    subTitle: q.subTitle ?? '',
    mutuallyExclusive: true,
    model: {
      kind: 'group',
      seed: own,
      logits: q.choices.map((choice) => Math.log(choice.weight)),
      swing: q.swing ?? 0.5,
      winner,
    },
    markets: q.choices.map((choice) => ({
      suffix: choice.code,
      title: q.marketTitle?.(choice.name) ?? q.title,
      yesSubTitle: choice.name,
      noSubTitle: choice.name,
      rulesPrimary: q.rules(choice.name),
      strike: { type: 'structured', custom: choice.name },
    })),
    ...(q.popularity === undefined ? {} : { popularity: q.popularity }),
  };
}

export type Measured = {
  suffix: string;
  title: string;
  subTitle?: string;
  underlying: Underlying;
  /** The quantity as text, with its unit. */
  show: (value: number) => string;
  /** What is measured and its source, the start of every rule. */
  measure: string;
  popularity?: number;
};

/** Strikes at round steps around the value at the round's opening. */
export function strikesAround(
  underlying: Underlying,
  openAt: number,
  step: number,
  count: number,
): number[] {
  const centre = Math.round(underlyingAt(underlying, openAt) / step) * step;
  const strikes = Array.from({ length: count }, (_, index) => {
    const strike = centre + (index - (count - 1) / 2) * step;
    return Number(strike.toFixed(6));
  });
  // A proportional value is never negative.
  return underlying.relative ? strikes.filter((strike) => strike > 0) : strikes;
}

/** "Above K?" for a ladder of strikes. */
export function above(q: Measured & { strikes: number[] }): EventSpec {
  return {
    ...head(q),
    mutuallyExclusive: false,
    model: { kind: 'above', underlying: q.underlying, strikes: q.strikes },
    markets: q.strikes.map((strike) => ({
      suffix: `T${strike}`,
      title: q.title,
      yesSubTitle: `Above ${q.show(strike)}`,
      noSubTitle: `${q.show(strike)} or below`,
      rulesPrimary: `If ${q.measure} is above ${q.show(strike)}, the market resolves to Yes.`,
      strike: { type: 'greater', floor: strike },
    })),
  };
}

/** Adjoining ranges, open at both ends, of which exactly one comes true. */
export function ranges(q: Measured & { edges: number[] }): EventSpec {
  const first = q.edges[0] ?? 0;
  const last = q.edges.at(-1) ?? 0;
  const range: [number, number][] = [[-1e12, first]];
  for (const [index, low] of q.edges.entries()) range.push([low, q.edges[index + 1] ?? 1e12]);
  const markets = range.map(([low, high]): MarketSpec => {
    if (low < first) return rangeMarket(q, `B${first}`, `Below ${q.show(first)}`, { cap: first });
    if (low === last) {
      return rangeMarket(q, `T${last}`, `${q.show(last)} or above`, { floor: last });
    }
    const text = `${q.show(low)} to ${q.show(high)}`;
    return rangeMarket(q, `R${low}`, text, { floor: low, cap: high });
  });
  return {
    ...head(q),
    mutuallyExclusive: true,
    model: { kind: 'between', underlying: q.underlying, range },
    markets,
  };
}

function rangeMarket(
  q: Measured,
  suffix: string,
  text: string,
  edges: { floor?: number; cap?: number },
): MarketSpec {
  const type =
    edges.floor === undefined ? 'less' : edges.cap === undefined ? 'greater_or_equal' : 'between';
  return {
    suffix,
    title: q.title,
    yesSubTitle: text,
    noSubTitle: text,
    rulesPrimary: `If ${q.measure} is in the range "${text}" (lower end included), the market resolves to Yes.`,
    strike: { type, ...edges },
  };
}

/** "Up or down since the round opened?" */
export function upOrDown(q: Measured & { openAt: number }): EventSpec {
  const from = underlyingAt(q.underlying, q.openAt);
  return {
    ...head(q),
    mutuallyExclusive: false,
    model: { kind: 'change', underlying: q.underlying, from },
    markets: [
      {
        suffix: '',
        title: q.title,
        yesSubTitle: `Above ${q.show(from)}`,
        noSubTitle: `${q.show(from)} or below`,
        rulesPrimary: `If ${q.measure} is above ${q.show(from)}, the market resolves to Yes.`,
        strike: { type: 'greater', floor: Number(from.toFixed(4)) },
      },
    ],
  };
}

/** Pays in proportion to where a quantity lands between a floor and a cap. */
export function scalar(q: Measured & { floor: number; cap: number }): EventSpec {
  return {
    ...head(q),
    mutuallyExclusive: false,
    model: { kind: 'scalar', underlying: q.underlying, floor: q.floor, cap: q.cap },
    markets: [
      {
        suffix: '',
        title: q.title,
        yesSubTitle: `Higher (pays $1 at ${q.show(q.cap)})`,
        noSubTitle: `Lower (pays $1 at ${q.show(q.floor)})`,
        rulesPrimary: `Yes pays in proportion to where ${q.measure} lands between ${q.show(q.floor)} (nothing) and ${q.show(q.cap)} (one dollar), to the whole cent; No pays the rest of the dollar.`,
        strike: { type: 'between', floor: q.floor, cap: q.cap },
      },
    ],
  };
}

function head(q: Measured) {
  return {
    suffix: q.suffix,
    title: q.title,
    subTitle: q.subTitle ?? '',
    ...(q.popularity === undefined ? {} : { popularity: q.popularity }),
  };
}
