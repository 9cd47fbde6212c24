'use client';

import { useEffect } from 'react';
import { titleWithCount } from '#lib/format/titleCount.ts';

/** Shows the number of orders in progress in the tab's title, on every page. */
export function useTitleCount(count: number): void {
  useEffect(() => {
    if (count === 0) return;
    const show = (shown: number) => {
      const wanted = titleWithCount(document.title, shown);
      if (document.title !== wanted) document.title = wanted;
    };
    show(count);
    // Navigation sets a new title.
    const pages = new MutationObserver(() => show(count));
    pages.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      pages.disconnect();
      show(0);
    };
  }, [count]);
}
