'use client';

import { Search } from 'lucide-react';
import { type MouseEvent, Suspense, useEffect } from 'react';
import { onDemand } from '#components/ui/onDemand.ts';
import { renderNothing } from '#components/ui/renderNothing.ts';
import { isTyping } from '#lib/browser/isTyping.ts';
import { openPalette, usePaletteOpen } from './palette.ts';

const CommandPalette = onDemand(() =>
  import('./CommandPalette.tsx').then((m) => m.CommandPalette, renderNothing),
);

/**
 * The way to search: a link to the search page that opens the palette where there is script. "/"
 * and Ctrl or Command with K do the same from anywhere.
 */
export function SearchButton() {
  const isOpen = usePaletteOpen();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isSlash = event.key === '/' && !event.metaKey && !event.ctrlKey && !event.altKey;
      const isCommandK = event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey);
      if (!isCommandK && !(isSlash && !isTyping(event.target))) return;
      event.preventDefault();
      openPalette();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    openPalette();
  };
  return (
    <>
      <a
        href="/search"
        onClick={open}
        aria-keyshortcuts="/ Control+K Meta+K"
        className="flex size-11 items-center justify-center gap-2.5 rounded-md text-ink-2 hover:bg-sunken md:h-10 md:w-full md:max-w-[18.75rem] md:justify-start md:border md:border-line md:bg-surface md:px-3 md:text-14 md:text-ink-3 md:hover:border-line-strong md:hover:bg-surface"
      >
        <Search aria-hidden className="size-5 shrink-0 md:size-4" />
        <span className="whitespace-nowrap max-md:sr-only">
          Search<span className="lg:max-xl:sr-only"> markets</span>
        </span>
        <kbd
          aria-hidden
          className="ml-auto rounded border border-line px-1.5 font-mono text-12 max-md:hidden lg:max-xl:hidden"
        >
          /
        </kbd>
      </a>
      {isOpen && (
        <Suspense>
          <CommandPalette />
        </Suspense>
      )}
    </>
  );
}
