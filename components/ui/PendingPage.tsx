import type { ReactNode } from 'react';

/**
 * Reserves the space of a loading page. As high as the screen, so that content below does not jump.
 */
export function PendingPage({ children }: { children?: ReactNode }) {
  return (
    <div className="min-h-dvh" role="status" aria-label="Loading">
      {children ?? <div className="skeleton h-64" />}
    </div>
  );
}
