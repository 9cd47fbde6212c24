'use client';

import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/Button.tsx';
import { Notice } from '#components/ui/Notice.tsx';

type QueryResultProps<Reply> = {
  query: UseQueryResult<Reply>;
  children: (response: Reply) => ReactNode;
};

/** The result of a query; while it loads, its shape, and after a failure, the reason. */
export function QueryResult<Reply>({ query, children }: QueryResultProps<Reply>) {
  if (query.data !== undefined) {
    return (
      <>
        {query.isError && (
          <Notice tone="caution">
            Could not refresh: {query.error.message} Showing the last known data.
          </Notice>
        )}
        {children(query.data)}
      </>
    );
  }
  if (query.isError) {
    return (
      <Notice
        tone="problem"
        title="This could not be loaded"
        live
        action={
          <Button size="s" onClick={() => void query.refetch()}>
            Try again
          </Button>
        }
      >
        {query.error.message}
      </Notice>
    );
  }
  return <div className="skeleton h-48" role="status" aria-label="Loading" />;
}
