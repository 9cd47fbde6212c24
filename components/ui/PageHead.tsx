import type { ReactNode } from 'react';

export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <header className="mb-5">
      <h1 className="font-semibold text-26 leading-tight tracking-[-0.015em]">{title}</h1>
      {children && <div className="mt-1.5 max-w-prose text-pretty text-ink-2">{children}</div>}
    </header>
  );
}
