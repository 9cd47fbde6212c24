'use client';

import { useRouter } from 'next/navigation';
import { useCallback, useTransition } from 'react';
import { buttonStyle } from '#components/ui/buttonStyle.ts';
import { Spinner } from '#components/ui/Spinner.tsx';

type MoreLinkProps = {
  href: string;
  label: string;
  /** If not, only a press loads more, so that the page has an end. */
  isAutomatic: boolean;
};

/** How far below the screen the next part starts to load. */
const NEAR = '400px';

/** The URL holds the length: going back restores the list. Without scripts it is a plain link. */
export function MoreLink({ href, label, isAutomatic }: MoreLinkProps) {
  const router = useRouter();
  const [isLoading, startLoading] = useTransition();
  const load = useCallback(
    () => startLoading(() => router.replace(href, { scroll: false })),
    [router, href],
  );
  const watch = useCallback(
    (element: HTMLElement | null) => {
      if (!element || !isAutomatic) return;
      const observer = new IntersectionObserver(
        (entries) => {
          if (!entries.some((entry) => entry.isIntersecting)) return;
          observer.disconnect();
          load();
        },
        { rootMargin: NEAR },
      );
      observer.observe(element);
      return () => observer.disconnect();
    },
    [isAutomatic, load],
  );
  return (
    <div ref={watch} className="mt-6 text-center">
      <a
        href={href}
        className={buttonStyle('outline')}
        aria-busy={isLoading}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          if (!isLoading) load();
        }}
      >
        {isLoading && <Spinner />}
        {label}
      </a>
    </div>
  );
}
