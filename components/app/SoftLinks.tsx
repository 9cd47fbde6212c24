'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useTransition } from 'react';
import { innerHref, keepsPlace } from '#lib/browser/innerHref.ts';

/**
 * Lets the page's plain links change the page in its place. One listener for all of them: a list of
 * markets has hundreds, and each as a component of its own would have to be brought to life before
 * the page answers, and would ask the server for its page long before anybody wants it. The old page
 * stays until the new one is there; a line along the top says that it is on its way. Links within
 * `data-keeps-place` leave the page where it is scrolled to.
 */
export function SoftLinks() {
  const router = useRouter();
  const [isLoading, startLoading] = useTransition();
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const href = innerHref(event);
      if (href === undefined) return;
      event.preventDefault();
      const scroll = !keepsPlace(event);
      startLoading(() => router.push(href, { scroll }));
    };
    window.addEventListener('click', onClick);
    // This is the last of the page's frame to come to life.
    window.crossbookLives?.();
    return () => window.removeEventListener('click', onClick);
  }, [router]);
  return (
    <div role="status">
      {isLoading && (
        <>
          <span className="sr-only">Loading the page</span>
          <span aria-hidden className="progress-line fixed inset-x-0 top-0 z-50 h-0.5" />
        </>
      )}
    </div>
  );
}
