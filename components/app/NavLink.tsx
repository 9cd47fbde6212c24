'use client';

import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { PageLink } from '#components/ui/PageLink.tsx';

function isCurrent(href: string, path: string): boolean {
  if (href === '/')
    return path === '/' || path.startsWith('/markets') || path.startsWith('/events');
  return path === href || path.startsWith(`${href}/`);
}

type NavLinkProps = { href: string; className: string; children: ReactNode };

export function NavLink({ href, className, children }: NavLinkProps) {
  const path = usePathname();
  return (
    <PageLink
      href={href}
      aria-current={isCurrent(href, path) ? 'page' : undefined}
      className={className}
    >
      {children}
    </PageLink>
  );
}
