'use client';

import { useEffect } from 'react';
import { isTyping } from '#lib/browser/isTyping.ts';

const EVENTS = 'main article h2 a, main table tbody th > a';

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1 };

/** Moves through the events of a list with the keys j and k; Enter opens one. */
export function ListKeyNavigation() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const step = STEPS[event.key];
      if (step === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
      if (isTyping(event.target)) return;
      const events = [...document.querySelectorAll<HTMLElement>(EVENTS)];
      const now = events.indexOf(document.activeElement as HTMLElement);
      events[Math.max(0, now + step)]?.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return null;
}
