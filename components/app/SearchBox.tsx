'use client';

import { Search } from 'lucide-react';
import Form from 'next/form';
import { useEffect, useRef } from 'react';

/** The header's search field; "/" reaches it from anywhere that is not a field itself. */
export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.metaKey || event.ctrlKey || isTyping(event.target)) return;
      event.preventDefault();
      input.current?.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <Form action="/search" role="search" aria-label="Quick" className="relative">
      <Search
        aria-hidden
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 left-3 size-4 text-ink-3"
      />
      <input
        ref={input}
        name="query"
        type="search"
        aria-label="Search markets"
        aria-keyshortcuts="/"
        placeholder="Search markets"
        autoComplete="off"
        className="h-10 w-full rounded-m border border-line bg-surface pr-9 pl-9 text-[14px] placeholder:text-ink-3 hover:border-line-strong"
      />
      <kbd
        aria-hidden
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 right-2.5 rounded border border-line px-1.5 font-mono text-[12px] text-ink-3"
      >
        /
      </kbd>
    </Form>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
}
