'use client';

import { useDeferredValue } from 'react';
import { clockTime, shortDate } from '#lib/format/time.ts';
import { utc } from '#lib/format/utc.ts';

/** A moment to the second in the reader's zone, for matching it with their own logs. */
export function ExactTime({ at }: { at: string }) {
  const isLocal = useDeferredValue(true, false);
  return (
    <time dateTime={at} title={utc(at)} className="nums">
      {isLocal ? `${shortDate(at)}, ${clockTime(at)}` : utc(at).slice(0, 19)}
    </time>
  );
}
