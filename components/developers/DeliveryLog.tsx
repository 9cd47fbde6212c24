'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFullClient } from '#components/app/useFullClient.ts';
import { Button } from '#components/ui/Button.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Segmented } from '#components/ui/Segmented.tsx';
import { deliveriesQuery } from '#lib/browser/queries/developers.ts';
import { DeliveryRow } from './DeliveryRow.tsx';

const FILTERS = [
  { value: 'all', label: 'All' },
  { value: 'pending', label: 'Waiting' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Given up' },
] as const;

type Filter = (typeof FILTERS)[number]['value'];

/** What was sent, newest first, with each attempt behind its line. */
export function DeliveryLog({ webhookId }: { webhookId: string }) {
  const api = useFullClient();
  const [filter, setFilter] = useState<Filter>('all');
  const log = useInfiniteQuery(
    deliveriesQuery(api, webhookId, filter === 'all' ? {} : { status: filter }),
  );
  const deliveries = log.data?.pages.flatMap((page) => page.deliveries) ?? [];
  return (
    <section aria-labelledby="deliveries-heading">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 id="deliveries-heading" className="font-semibold text-17">
          Deliveries
        </h2>
        <Segmented
          legend="Which deliveries"
          size="s"
          value={filter}
          onChange={setFilter}
          options={FILTERS}
        />
      </div>
      {log.isPending && <div className="skeleton h-40" role="status" aria-label="Loading" />}
      {log.isError && !log.data && <Notice tone="problem">{log.error.message}</Notice>}
      {log.data && deliveries.length === 0 && (
        <EmptyState title={filter === 'all' ? 'Nothing was sent yet' : 'No deliveries like that'}>
          {filter === 'all'
            ? 'Send a test, or place an order: each delivery is listed with every attempt.'
            : 'Choose “All” to see every delivery.'}
        </EmptyState>
      )}
      {deliveries.length > 0 && (
        <ul className="sheet divide-y">
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
      {log.hasNextPage && (
        <div className="mt-4 text-center">
          <Button disabled={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            Earlier deliveries
          </Button>
        </div>
      )}
    </section>
  );
}
