'use client';

import { useDeferredValue } from 'react';
import { clockTime, dateTime, duration, shortDate, utc } from '#lib/format/time.ts';
import { useNow } from './clock.ts';

const FORMATS = {
  date: shortDate,
  dateTime: (iso: string) => dateTime(iso),
  clock: clockTime,
};

/** Of "2026-11-21 16:40:07 UTC". */
const UTC_PART = { date: [0, 10], dateTime: [0, 16], clock: [11, 19] } as const;

type MomentProps = { at: string; format?: keyof typeof FORMATS };

/**
 * A moment in the reader's zone, with the exact UTC time on hover; UTC until hydrated. The first
 * format of a zone takes long to make, so it waits until the page has nothing more urgent to do.
 */
export function Moment({ at, format = 'dateTime' }: MomentProps) {
  const isLocal = useDeferredValue(true, false);
  return (
    <time dateTime={at} title={utc(at)} className="nums">
      {isLocal ? FORMATS[format](at) : utc(at).slice(...UTC_PART[format])}
    </time>
  );
}

const MINUTE_MS = 60_000;
/** From here on seconds are not told. */
const FAR_MS = 61 * MINUTE_MS;

/** How long until a moment: "closes in 3 d 4 h". */
export function Until({ at, renderedAtMs }: { at: string; renderedAtMs: number }) {
  const about = useNow(MINUTE_MS) ?? renderedAtMs;
  const isFar = Date.parse(at) - about > FAR_MS;
  const now = useNow(isFar ? MINUTE_MS : 1_000) ?? renderedAtMs;
  return (
    <time dateTime={at} title={utc(at)} className="nums">
      {duration(Date.parse(at) - now)}
    </time>
  );
}

/** How long ago, in seconds: for the age of a quote. */
export function Age({ sinceMs }: { sinceMs: number }) {
  const now = useNow();
  if (now === undefined) return null;
  return <span className="nums">{duration(Math.max(0, now - sinceMs))}</span>;
}
