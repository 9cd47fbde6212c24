'use client';

import type { ReactNode } from 'react';
import { useHydrated } from './clock.ts';

/** Blocks input before hydration, which would discard it. The appearance stays the same. */
export function InertUntilHydrated({ children }: { children: ReactNode }) {
  return <div inert={!useHydrated()}>{children}</div>;
}
