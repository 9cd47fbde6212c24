'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useFullClient } from '#components/app/useFullClient.ts';
import { Button } from '#components/ui/Button.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import type { WebhookDelivery } from '#lib/api/schemas/webhook.ts';
import { deliveryQuery, developerKeys } from '#lib/browser/queries/developers.ts';
import { ExactTime } from './ExactTime.tsx';
import { attemptLabel, deliveryLabel, isTroubled } from './webhookLabels.ts';

/** One delivery: its event, its status and, when expanded, every attempt. */
export function DeliveryRow({ delivery }: { delivery: WebhookDelivery }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="grid min-h-12 w-full grid-cols-[minmax(0,1fr)_auto_1rem] items-center gap-x-4 gap-y-0.5 px-4 py-2 text-left text-14 hover:bg-sunken md:grid-cols-[minmax(0,1fr)_12rem_12rem_1rem]"
      >
        <span className="wrap-anywhere font-mono text-13">{delivery.type}</span>
        <span
          className={clsx(
            'max-md:col-span-2 max-md:row-start-2 max-md:text-13',
            isTroubled(delivery) ? 'text-no' : 'text-ink-2',
          )}
        >
          {deliveryLabel(delivery)}
          {delivery.lastAttempt?.statusCode ? ` · ${delivery.lastAttempt.statusCode}` : ''}
        </span>
        <span className="text-right text-13 text-ink-3 max-md:col-start-2 max-md:row-start-1">
          <ExactTime at={delivery.createdAt} />
        </span>
        <ChevronDown
          aria-hidden
          className={clsx(
            'size-4 text-ink-3 max-md:col-start-3 max-md:row-span-2 max-md:row-start-1',
            isOpen && 'rotate-180',
          )}
        />
      </button>
      {isOpen && <DeliveryDetail delivery={delivery} />}
    </li>
  );
}

function DeliveryDetail({ delivery }: { delivery: WebhookDelivery }) {
  const api = useFullClient();
  const queryClient = useQueryClient();
  const detail = useQuery(deliveryQuery(api, delivery.webhookId, delivery.id));
  const replay = useMutation({
    mutationFn: () => api.replayWebhookDelivery(delivery.webhookId, delivery.id),
    onSuccess: () =>
      queryClient.invalidateQueries({ queryKey: developerKeys.webhook(delivery.webhookId) }),
  });
  if (detail.isPending) {
    return <div className="skeleton m-4 h-24" role="status" aria-label="Loading" />;
  }
  const error = detail.error ?? replay.error;
  return (
    <div className="grid gap-3 px-4 pt-1 pb-4 text-13">
      {error && <Notice tone="problem">{error.message}</Notice>}
      <ol className="grid gap-1.5">
        {detail.data?.delivery.attempts.map((attempt) => (
          <li key={attempt.at} className="flex flex-wrap gap-x-3 text-ink-2">
            <ExactTime at={attempt.at} />
            <span className={clsx('nums', attempt.error && 'text-no')}>
              {attemptLabel(attempt)} in {attempt.durationMs} ms
            </span>
          </li>
        ))}
      </ol>
      {delivery.nextAttemptAt && (
        <p className="text-ink-3">
          Next attempt at <ExactTime at={delivery.nextAttemptAt} />
        </p>
      )}
      {detail.data && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key
        <pre tabIndex={0} className="overflow-x-auto rounded-md bg-sunken p-3 font-mono">
          {pretty(detail.data.delivery.payload)}
        </pre>
      )}
      <div>
        <Button size="s" disabled={replay.isPending} onClick={() => replay.mutate()}>
          {replay.isPending && <Spinner />}
          Resend
        </Button>
      </div>
    </div>
  );
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
