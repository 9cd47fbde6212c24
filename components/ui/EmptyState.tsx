import type { ReactNode } from 'react';
import { type ButtonTone, buttonStyle } from './buttonStyle.ts';
import { PageLink } from './PageLink.tsx';

type EmptyStateProps = {
  title: string;
  children?: ReactNode;
  link?: { href: string; label: string; tone?: ButtonTone };
  action?: ReactNode;
  /** The title's level; 1 when it is the page's own. */
  level?: 1 | 2;
};

export function EmptyState({ title, children, link, action, level = 2 }: EmptyStateProps) {
  const Title = level === 1 ? 'h1' : 'h2';
  return (
    <div className="sheet grid justify-items-center gap-2 px-6 py-14 text-center">
      <Title className="font-medium text-17">{title}</Title>
      {children && <div className="max-w-md text-balance text-ink-2">{children}</div>}
      {(link || action) && (
        <div className="mt-3 flex flex-wrap justify-center gap-2">
          {link && (
            <PageLink href={link.href} className={buttonStyle(link.tone)}>
              {link.label}
            </PageLink>
          )}
          {action}
        </div>
      )}
    </div>
  );
}
