import { noiseAt, smoothNoise } from './random.ts';

/**
 * The simulated belief as a function of time alone: probabilities wander and converge on the result
 * near the close. As a function without state, it is defined for the past too, and a restart
 * changes nothing.
 */
const DAY_MS = 86_400_000;

/** A quantity that is observed at the close: a price, a temperature, a rate. */
export type Underlying = {
  seed: number;
  level: number;
  /** Standard move in one day: relative when `relative`, else in the quantity's own unit. */
  dailyMove: number;
  relative: boolean;
};

export type FairModel =
  | { kind: 'binary'; seed: number; logit: number; swing: number; outcomeYes: boolean }
  | { kind: 'group'; seed: number; logits: number[]; swing: number; winner: number }
  | { kind: 'above'; underlying: Underlying; strikes: number[] }
  | { kind: 'between'; underlying: Underlying; range: [low: number, high: number][] }
  | { kind: 'change'; underlying: Underlying; from: number }
  | { kind: 'scalar'; underlying: Underlying; floor: number; cap: number };

export type Life = { openAt: number; closeAt: number };

const WANDER_PERIODS_DAYS = [180, 60, 20, 6, 2, 0.5, 0.12, 0.03, 0.007, 0.002];

/** The value of an underlying at a moment. */
export function underlyingAt(underlying: Underlying, at: number): number {
  let move = 0;
  for (const [index, days] of WANDER_PERIODS_DAYS.entries()) {
    const noise = smoothNoise(underlying.seed + index * 7919, at / (days * DAY_MS));
    move += noise * Math.sqrt(days) * 0.45;
  }
  const scaled = move * underlying.dailyMove;
  return underlying.relative ? underlying.level * Math.exp(scaled) : underlying.level + scaled;
}

/** The probability (scalar: the expected payout) of each market's YES, in market order. */
export function fairAt(model: FairModel, life: Life, at: number): number[] {
  switch (model.kind) {
    case 'binary':
      return [logistic(model.logit + wanderAt(at)(model) + pull(model, life, at))];
    case 'group':
      return groupAt(model, life, at);
    case 'above': {
      const { value, deviation } = outlook(model.underlying, life, at);
      return model.strikes.map((strike) => normalCdf((value - strike) / deviation));
    }
    case 'between': {
      const { value, deviation } = outlook(model.underlying, life, at);
      return model.range.map(
        ([low, high]) =>
          normalCdf((high - value) / deviation) - normalCdf((low - value) / deviation),
      );
    }
    case 'change': {
      const { value, deviation } = outlook(model.underlying, life, at);
      return [normalCdf((value - model.from) / deviation)];
    }
    case 'scalar': {
      const { value } = outlook(model.underlying, life, at);
      return [clamp((value - model.floor) / (model.cap - model.floor), 0, 1)];
    }
  }
}

/** What each market's YES pays, from 0 to 1; scalars to the whole cent. */
export function payoutsOf(model: FairModel, life: Life): number[] {
  switch (model.kind) {
    case 'binary':
      return [model.outcomeYes ? 1 : 0];
    case 'group':
      return model.logits.map((_, index) => (index === model.winner ? 1 : 0));
    case 'above': {
      const value = underlyingAt(model.underlying, life.closeAt);
      return model.strikes.map((strike) => (value > strike ? 1 : 0));
    }
    case 'between': {
      const value = underlyingAt(model.underlying, life.closeAt);
      return model.range.map(([low, high]) => (value >= low && value < high ? 1 : 0));
    }
    case 'change':
      return [underlyingAt(model.underlying, life.closeAt) > model.from ? 1 : 0];
    case 'scalar':
      return fairAt(model, life, life.closeAt).map((value) => Math.round(value * 100) / 100);
  }
}

/** The observed quantity behind the result, when there is one. */
export function observedValue(model: FairModel, life: Life): number | undefined {
  return 'underlying' in model ? underlyingAt(model.underlying, life.closeAt) : undefined;
}

function groupAt(model: Extract<FairModel, { kind: 'group' }>, life: Life, at: number): number[] {
  const strength = convergence(life, at);
  const { swing } = model;
  const wander = wanderAt(at);
  const weights = model.logits.map((logit, index) => {
    const drift = wander({ seed: model.seed + index * 104_729, swing });
    return Math.exp(logit + drift + (index === model.winner ? strength : 0));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

function outlook(underlying: Underlying, life: Life, at: number) {
  const moment = Math.min(at, life.closeAt);
  const value = underlyingAt(underlying, moment);
  const days = Math.max((life.closeAt - moment) / DAY_MS, 0.000_2);
  const unit = underlying.relative ? underlying.level : 1;
  return { value, deviation: underlying.dailyMove * unit * Math.sqrt(days) * 0.9 };
}

function pull(model: { outcomeYes: boolean }, life: Life, at: number): number {
  return convergence(life, at) * (model.outcomeYes ? 1 : -1);
}

/** Zero for most of the life, then growing until the result is certain. */
function convergence(life: Life, at: number): number {
  const share = clamp((at - life.openAt) / (life.closeAt - life.openAt), 0, 1);
  return share <= 0.75 ? 0 : 7 * ((share - 0.75) / 0.25) ** 3;
}

/** The drift of beliefs at a moment, as a logit. */
function wanderAt(at: number): (who: { seed: number; swing: number }) => number {
  const days = at / DAY_MS;
  const months = noiseAt(days / 23);
  const week = noiseAt(days / 5);
  const day = noiseAt(days * 1.3);
  const hours = noiseAt(days * 9);
  const minutes = noiseAt(days * 90);
  return ({ seed, swing }) =>
    swing *
    (months(seed) * 0.9 +
      week(seed + 1) * 0.5 +
      day(seed + 2) * 0.25 +
      hours(seed + 3) * 0.12 +
      minutes(seed + 4) * 0.05);
}

export function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

export function logitOf(probability: number): number {
  return Math.log(probability / (1 - probability));
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** Abramowitz and Stegun 26.2.17, good to 7.5e-8. */
export function normalCdf(z: number): number {
  const x = Math.abs(z);
  const t = 1 / (1 + 0.231_641_9 * x);
  const series =
    t *
    (0.319_381_53 +
      t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
  const tail = 0.398_942_280_4 * Math.exp((-x * x) / 2) * series;
  return z >= 0 ? 1 - tail : tail;
}
