import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { EmptyState } from './EmptyState.tsx';

/** As high as the screen, so that content below does not jump. */
export function PendingPage({ children }: { children?: ReactNode }) {
  return (
    <div className="min-h-dvh" role="status" aria-label="Loading">
      {children ?? <div className="skeleton h-64" />}
    </div>
  );
}

type LoadFailedProps = { title: string; retry: () => unknown; children: ReactNode };

export function LoadFailed({ title, retry, children }: LoadFailedProps) {
  return (
    <EmptyState title={title} action={<Button onClick={() => void retry()}>Try again</Button>}>
      {children}
    </EmptyState>
  );
}
