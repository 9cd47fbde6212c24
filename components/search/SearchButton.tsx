'use client';

import dynamic from 'next/dynamic';
import { type MouseEvent, type ReactNode, useEffect } from 'react';
import { loadOptionalPart } from '#components/ui/loadPart.ts';
import { isTyping } from '#lib/browser/isTyping.ts';
import { openPalette, usePaletteOpen } from './palette.ts';

const CommandPalette = dynamic(
  () => loadOptionalPart(() => import('./CommandPalette.tsx').then((m) => m.CommandPalette)),
  { ssr: false },
);

/** Without scripts a link to the search page; "/" and Ctrl or Command with K open the palette. */
export function SearchButton({ children }: { children: ReactNode }) {
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
        {children}
      </a>
      {isOpen && <CommandPalette />}
    </>
  );
}
