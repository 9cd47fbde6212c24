import type { ReactNode } from 'react';

type PageHeadProps = { title: string; children?: ReactNode; actions?: ReactNode };

export function PageHead({ title, children, actions }: PageHeadProps) {
  return (
    <header className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h1 className="font-semibold text-26 leading-tight tracking-[-0.015em]">{title}</h1>
        {children && <div className="mt-1.5 max-w-prose text-ink-2">{children}</div>}
      </div>
      {actions && <div className="-my-1.5 flex flex-wrap gap-2">{actions}</div>}
    </header>
  );
}
