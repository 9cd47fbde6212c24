'use client';

import { useDeferredValue } from 'react';
import { clockTime, dateTime, shortDate } from '#lib/format/time.ts';
import { utc } from '#lib/format/utc.ts';
import { useHydrated } from './clock.ts';

const FORMATS = {
  date: shortDate,
  dateTime: (iso: string) => dateTime(iso),
  clock: clockTime,
  /** To the second, for matching a program's own log. */
  exact: (iso: string) => `${shortDate(iso)}, ${clockTime(iso)}`,
};

/** Of "2026-11-21 16:40:07 UTC". */
const UTC_PART = { date: [0, 10], dateTime: [0, 16], clock: [11, 19], exact: [0, 19] } as const;

type MomentProps = { at: string; format?: keyof typeof FORMATS };

/**
 * A moment in the reader's zone, with the exact UTC time on hover. The server does not know the
 * zone: it renders UTC, which the page replaces after hydration when it is idle. What the browser
 * renders later is local at once: the two differ in width.
 */
export function LocalTime({ at, format = 'dateTime' }: MomentProps) {
  const isLocal = useDeferredValue(true, useHydrated());
  return (
    <time dateTime={at} title={utc(at)} className="nums">
      {isLocal ? FORMATS[format](at) : utc(at).slice(...UTC_PART[format])}
    </time>
  );
}
