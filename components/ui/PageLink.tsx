import Link from 'next/link';
import type { ComponentProps } from 'react';
import { LinkProgress } from './LinkProgress.tsx';

/** A link within the site. Not prefetched: a page must show the prices at the time it is opened. */
export function PageLink({ children, ...props }: ComponentProps<typeof Link>) {
  return (
    <Link prefetch={false} {...props}>
      {children}
      <LinkProgress />
    </Link>
  );
}
