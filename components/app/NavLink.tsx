'use client';

import clsx from 'clsx';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';

export function useIsCurrent(href: string): boolean {
  const path = usePathname();
  if (href === '/')
    return path === '/' || path.startsWith('/markets') || path.startsWith('/events');
  return path === href || path.startsWith(`${href}/`);
}

export function NavLink({ href, children }: { href: string; children: ReactNode }) {
  const current = useIsCurrent(href);
  return (
    <a
      href={href}
      aria-current={current ? 'page' : undefined}
      className={clsx(
        'rounded-sm px-3 py-2 font-medium text-14',
        current ? 'text-ink' : 'text-ink-2 hover:text-ink',
      )}
    >
      {children}
    </a>
  );
}
