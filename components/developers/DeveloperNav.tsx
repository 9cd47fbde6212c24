'use client';

import clsx from 'clsx';
import { usePathname } from 'next/navigation';
import { PageLink } from '#components/ui/PageLink.tsx';

const NAV_LINKS = [
  { href: '/developers', label: 'Overview' },
  { href: '/developers/keys', label: 'API keys' },
  { href: '/developers/webhooks', label: 'Webhooks' },
  { href: '/v1/reference', label: 'Reference' },
  { href: '/docs/errors', label: 'Errors' },
];

export function DeveloperNav() {
  const path = usePathname();
  return (
    <nav
      aria-label="Developers"
      className="-mx-4 mb-6 flex gap-6 overflow-x-auto border-b px-4 [scrollbar-width:none] md:mx-0 md:px-0"
    >
      {NAV_LINKS.map(({ href, label }) => {
        const current =
          href === '/developers' ? path === href : path === href || path.startsWith(`${href}/`);
        return (
          <PageLink
            key={href}
            href={href}
            aria-current={current ? 'page' : undefined}
            className={clsx(
              '-mb-px flex h-11 shrink-0 items-center border-b-2 text-14',
              current
                ? 'border-ink font-medium text-ink'
                : 'border-transparent text-ink-2 hover:text-ink',
            )}
          >
            {label}
          </PageLink>
        );
      })}
    </nav>
  );
}
