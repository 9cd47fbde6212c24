'use client';

import { duration } from '#lib/format/duration.ts';
import { utc } from '#lib/format/utc.ts';
import { useNow } from './clock.ts';

const MINUTE_MS = 60_000;
/** From this duration on seconds are omitted. */
const FAR_MS = 61 * MINUTE_MS;

/** The time until a moment: "closes in 3 d 4 h". */
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

/** The longest poll interval of prices. */
const LIVE_MS = 10_000;

/** "Live" while a price is fresh, else its age. */
export function PriceAge({ sinceMs }: { sinceMs: number }) {
  const now = useNow();
  if (now === undefined || now - sinceMs < LIVE_MS) return 'Live';
  return (
    <>
      Price <Age sinceMs={sinceMs} /> old
    </>
  );
}

export function Age({ sinceMs }: { sinceMs: number }) {
  const now = useNow();
  if (now === undefined) return null;
  return <span className="nums">{duration(Math.max(0, now - sinceMs))}</span>;
}
