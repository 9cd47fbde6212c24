import type { ReactNode } from 'react';

type EmptyStateProps = { title: string; children?: ReactNode; action?: ReactNode };

/** What stands where a list would be: why it is empty and where to go. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="sheet grid justify-items-center gap-2 px-6 py-14 text-center">
      <p className="font-medium text-[17px]">{title}</p>
      {children && <div className="max-w-md text-ink-2">{children}</div>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  );
}
