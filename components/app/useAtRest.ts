'use client';

import { startTransition, useEffect, useState } from 'react';
import { AT_REST_MS } from '#lib/browser/atRest.ts';
import { whenIdle } from '#lib/browser/whenIdle.ts';

/**
 * Whether the page has come to rest: what it was opened for is there, or somebody does something.
 * For what is told beside the page on any page, so that it is not asked for in its way.
 */
export function useAtRest(): boolean {
  const [isAtRest, setAtRest] = useState(false);
  useEffect(() => whenIdle(() => startTransition(() => setAtRest(true)), AT_REST_MS), []);
  return isAtRest;
}
