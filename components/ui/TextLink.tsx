import type { ReactNode } from 'react';
import { PageLink } from './PageLink.tsx';
import { TEXT_LINK } from './textLink.ts';

/** A link within running text. */
export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <PageLink href={href} className={TEXT_LINK}>
      {children}
    </PageLink>
  );
}
