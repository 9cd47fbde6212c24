import type { FeeRule } from '../port.ts';
import { decimalMicros, moment, text, type Wire } from './wire.ts';

const STANDARD_RATE_MICROS = 70_000n;

/** Taker rates per fee type, in micros: fee = rate x multiplier x contracts x p x (1 - p). */
const TAKER_RATE_MICROS = new Map([
  ['quadratic', STANDARD_RATE_MICROS],
  ['quadratic_with_maker_fees', STANDARD_RATE_MICROS],
  ['quadratic_with_combo_maker_fees', STANDARD_RATE_MICROS],
  ['flat', 35_000n],
]);

/** The fee of most series. */
export const STANDARD_FEE = {
  kind: 'quadratic',
  takerRateMicros: STANDARD_RATE_MICROS,
  multiplierMicros: 1_000_000n,
} as const satisfies FeeRule;

export type FeeSources = {
  market: Wire;
  event: Wire;
  series: Wire;
  /** Scheduled changes of the series and of the event. */
  seriesChanges: Wire[];
  eventChanges: Wire[];
};

/**
 * The current fee of a market. A waiver overrides the event's override, which overrides an
 * effective scheduled change, which overrides the series. An unknown type cannot be quoted.
 */
export function resolveFee(sources: FeeSources, now: Date): FeeRule {
  const waivedUntil = moment(sources.market.fee_waiver_expiration_time);
  if (waivedUntil && waivedUntil > now) return { kind: 'waived' };
  const event = latest(sources.eventChanges, now) ?? sources.event;
  const series = newest(sources.series, latest(sources.seriesChanges, now));
  const override = rule(text(event, 'fee_type_override'), event.fee_multiplier_override);
  if (override) return override;
  const own = rule(text(series, 'fee_type'), series.fee_multiplier);
  // A partial override is undocumented: quote the more expensive reading.
  const half = rule(text(series, 'fee_type'), event.fee_multiplier_override);
  const isHalf = (event.fee_multiplier_override ?? null) !== null;
  return (isHalf ? dearer(own, half) : own) ?? { kind: 'unknown', feeType: 'missing' };
}

function dearer(one: FeeRule | undefined, other: FeeRule | undefined): FeeRule | undefined {
  if (one?.kind !== 'quadratic') return one?.kind === 'waived' ? other : one;
  if (other?.kind !== 'quadratic') return other?.kind === 'unknown' ? other : one;
  return other.multiplierMicros > one.multiplierMicros ? other : one;
}

function rule(feeType: string, multiplier: unknown): FeeRule | undefined {
  if (feeType === '') return undefined;
  const takerRateMicros = TAKER_RATE_MICROS.get(feeType.toLowerCase());
  const multiplierMicros =
    multiplier === undefined || multiplier === null ? 1_000_000n : decimalMicros(multiplier);
  if (takerRateMicros === undefined || multiplierMicros === undefined || multiplierMicros < 0n) {
    return { kind: 'unknown', feeType };
  }
  if (multiplierMicros === 0n) return { kind: 'waived' };
  return { kind: 'quadratic', takerRateMicros, multiplierMicros };
}

/** The latest effective change. */
function latest(changes: Wire[], now: Date): Wire | undefined {
  return changes
    .map((change) => ({
      change,
      at: moment(change.scheduled_ts)?.getTime() ?? Number.POSITIVE_INFINITY,
    }))
    .filter(({ at }) => at <= now.getTime())
    .sort((a, b) => b.at - a.at)[0]?.change;
}

/** A change applies only to a series record that was read before it took effect. */
function newest(series: Wire, change: Wire | undefined): Wire {
  if (!change) return series;
  const updated = moment(series.last_updated_ts);
  const scheduled = moment(change.scheduled_ts);
  return updated && scheduled && updated > scheduled ? series : change;
}
