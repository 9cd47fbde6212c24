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
  { value: 'pending', label: 'Pending' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
] as const;

type Filter = (typeof FILTERS)[number]['value'];

/** Deliveries, newest first, each expandable to its attempts. */
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
          legend="Delivery status"
          size="s"
          value={filter}
          onChange={setFilter}
          options={FILTERS}
        />
      </div>
      {log.isPending && <div className="skeleton h-40" role="status" aria-label="Loading" />}
      {log.isError && !log.data && <Notice tone="problem">{log.error.message}</Notice>}
      {log.data && deliveries.length === 0 && (
        <EmptyState title={filter === 'all' ? 'No deliveries yet' : 'No matching deliveries'}>
          {filter === 'all'
            ? 'Send a test event or place an order to see deliveries and their attempts here.'
            : 'Select “All” to see every delivery.'}
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
            Load more
          </Button>
        </div>
      )}
    </section>
  );
}
