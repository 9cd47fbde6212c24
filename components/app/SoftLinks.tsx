'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { innerHref } from '#lib/innerHref.ts';

/**
 * Lets the page's plain links change the page in its place. One listener for all of them: a list of
 * markets has hundreds, and each as a component of its own would have to be brought to life before
 * the page answers, and would ask the server for its page long before anybody wants it.
 */
export function SoftLinks() {
  const router = useRouter();
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const href = innerHref(event);
      if (href === undefined) return;
      event.preventDefault();
      router.push(href);
    };
    window.addEventListener('click', onClick);
    return () => window.removeEventListener('click', onClick);
  }, [router]);
  return null;
}
