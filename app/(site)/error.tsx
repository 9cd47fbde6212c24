'use client';

import { Button } from '#components/ui/Button.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';

type ErrorPageProps = { error: Error & { digest?: string }; retry: () => void };

export default function ErrorPage({ error, retry }: ErrorPageProps) {
  return (
    <EmptyState
      level={1}
      title="This page did not load"
      action={
        <Button tone="primary" onClick={retry}>
          Try again
        </Button>
      }
    >
      <p>Your money is not affected. Orders that were placed go on by themselves.</p>
      {error.digest && (
        <p className="mt-2 font-mono text-13 text-ink-3">Reference {error.digest}</p>
      )}
    </EmptyState>
  );
}
