import type { ReactNode } from 'react';

/**
 * Holds the place of what a page is about while it is on its way. As high as the screen, so that
 * what stands below does not jump when it comes.
 */
export function PendingPage({ children }: { children?: ReactNode }) {
  return (
    <div className="min-h-dvh" role="status" aria-label="Loading">
      {children ?? <div className="skeleton h-64" />}
    </div>
  );
}
