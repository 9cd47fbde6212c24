import { useState } from 'react';
import type { TimeInForce } from '#lib/api/schemas/limitOrder.ts';
import { CENT_MICROS } from '#lib/money.ts';

export type LimitOptionValues = {
  timeInForce: TimeInForce;
  /** Local time, as a `datetime-local` field holds it. */
  endText: string;
  isPostOnly: boolean;
  isReduceOnly: boolean;
  /** What a stop order becomes once its price is reached. */
  stopType: 'market' | 'limit';
  /** How far beyond its trigger a market order may be filled. */
  protectionMicros: bigint;
};

/** A market order after a trigger is protected by one of these distances. */
export const PROTECTIONS = [2n, 5n, 10n, 20n].map((count) => count * CENT_MICROS);

const DAY_MS = 86_400_000;

/** What a limit order keeps to besides its price. */
export function useLimitOptions() {
  const [values, setValues] = useState<LimitOptionValues>(() => ({
    timeInForce: 'GTC',
    endText: localText(Date.now() + DAY_MS),
    isPostOnly: false,
    isReduceOnly: false,
    stopType: 'market',
    protectionMicros: 5n * CENT_MICROS,
  }));
  return {
    values,
    change: (part: Partial<LimitOptionValues>) => setValues((before) => ({ ...before, ...part })),
  };
}

/** "2026-11-24T18:30", in the reader's zone. */
export function localText(ms: number): string {
  const zoneMs = new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - zoneMs).toISOString().slice(0, 16);
}
