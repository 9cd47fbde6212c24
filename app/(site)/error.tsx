'use client';

import { buttonStyle } from '#components/ui/buttonStyle.ts';
import { EmptyState } from '#components/ui/EmptyState.tsx';

type ErrorPageProps = { error: Error & { digest?: string }; retry: () => void };

export default function ErrorPage({ error, retry }: ErrorPageProps) {
  return (
    <EmptyState
      level={1}
      title="This page could not be loaded"
      action={
        <button type="button" onClick={retry} className={buttonStyle('primary')}>
          Try again
        </button>
      }
    >
      <p>Your funds are safe. Orders you placed are still being processed.</p>
      {error.digest && (
        <p className="mt-2 font-mono text-13 text-ink-3">Reference {error.digest}</p>
      )}
    </EmptyState>
  );
}
