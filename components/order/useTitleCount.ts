'use client';

import { useEffect } from 'react';
import { titleWithCount } from '#lib/format/titleCount.ts';

/** Has the tab's title say how many orders are under way, on whatever page the visitor goes to. */
export function useTitleCount(count: number): void {
  useEffect(() => {
    if (count === 0) return;
    const show = (shown: number) => {
      const wanted = titleWithCount(document.title, shown);
      if (document.title !== wanted) document.title = wanted;
    };
    show(count);
    // The next page brings a title of its own.
    const pages = new MutationObserver(() => show(count));
    pages.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      pages.disconnect();
      show(0);
    };
  }, [count]);
}
