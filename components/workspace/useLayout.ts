import { useEffect, useState } from 'react';
import { changeLayout, type LayoutChange, layoutStore } from '#lib/browser/workspace/layout.ts';

/**
 * The layout of this tab, stored for the next one. Open tabs do not follow each other: each screen
 * of a desk has its own.
 * @param open a market to show at once
 */
export function useLayout(open: string | undefined) {
  const [layout, setLayout] = useState(() => {
    const stored = layoutStore.get();
    return open === undefined ? stored : changeLayout(stored, { type: 'open', ticker: open });
  });
  useEffect(() => layoutStore.set(layout), [layout]);
  useEffect(() => {
    // After a reload the stored layout counts.
    if (open !== undefined) window.history.replaceState(null, '', '/workspace');
  }, [open]);
  const change = (next: LayoutChange) => setLayout((now) => changeLayout(now, next));
  return { layout, change };
}
