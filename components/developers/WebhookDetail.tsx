'use client';

import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import clsx from 'clsx';
import { ChevronDown } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useFullClient } from '#components/app/useFullClient.ts';
import { Button } from '#components/ui/Button.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import { LoadFailed, PendingPage } from '#components/ui/LoadStates.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Segmented } from '#components/ui/Segmented.tsx';
import { SignInPrompt } from '#components/wallet/SignInPrompt.tsx';
import type { Webhook, WebhookDelivery } from '#lib/api/schemas/webhook.ts';
import {
  deliveriesQuery,
  deliveryQuery,
  developerKeys,
  webhookQuery,
} from '#lib/browser/queries/developers.ts';
import { NewSecret } from './NewSecret.tsx';
import {
  attemptLabel,
  deliveryLabel,
  isTroubled,
  subscriptionLabel,
  webhookStatusLabel,
} from './webhookLabels.ts';

export function WebhookDetail({ id }: { id: string }) {
  return (
    <SignInPrompt what="this webhook">
      <Detail id={id} />
    </SignInPrompt>
  );
}

function Detail({ id }: { id: string }) {
  const api = useFullClient();
  const webhook = useQuery(webhookQuery(api, id));
  if (webhook.isPending) return <PendingPage />;
  if (!webhook.data) {
    return (
      <LoadFailed title="This webhook could not be loaded" retry={webhook.refetch}>
        {webhook.error?.message}
      </LoadFailed>
    );
  }
  return (
    <div className="grid gap-8">
      <Settings webhook={webhook.data.webhook} />
      <DeliveryLog webhookId={id} />
    </div>
  );
}

function Settings({ webhook }: { webhook: Webhook }) {
  const actions = useWebhookActions(webhook);
  const { change, test, rotate, reveal, remove } = actions;
  const [isSure, setIsSure] = useState(false);
  const isOn = webhook.status === 'enabled';
  const error = [change, test, rotate, reveal, remove].find((one) => one.isError)?.error;
  const secret = rotate.data?.secret ?? reveal.data?.secret;
  return (
    <section aria-label="Webhook" className="grid gap-4">
      <p className="text-14">
        <span className="wrap-anywhere mb-1 block font-mono text-ink">{webhook.url}</span>
        <span className={webhook.failingSince ? 'text-no' : 'text-ink-2'}>
          {webhookStatusLabel(webhook)}
        </span>
        {webhook.failingSince && (
          <span className="text-ink-3">
            {' '}
            · failing since <LocalTime at={webhook.failingSince} format="exact" />
          </span>
        )}
        {webhook.description !== '' && <span className="text-ink-3"> · {webhook.description}</span>}
        <span className="mt-1 block text-13 text-ink-3">
          {subscriptionLabel(webhook)}
          {webhook.lastDeliveredAt && (
            <>
              {' '}
              · last delivered <LocalTime at={webhook.lastDeliveredAt} format="exact" />
            </>
          )}
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button
          tone="primary"
          disabled={!isOn}
          onClick={() => test.mutate()}
          isBusy={test.isPending}
        >
          Send test event
        </Button>
        <Button
          disabled={change.isPending}
          onClick={() => change.mutate(isOn ? 'disabled' : 'enabled')}
        >
          {isOn ? 'Disable' : 'Enable'}
        </Button>
        <Button disabled={reveal.isPending} onClick={() => reveal.mutate()}>
          Reveal secret
        </Button>
        <Button disabled={rotate.isPending} onClick={() => rotate.mutate()}>
          Rotate secret
        </Button>
        <Button
          tone={isSure ? 'no' : 'outline'}
          disabled={remove.isPending}
          onBlur={() => setIsSure(false)}
          onClick={() => (isSure ? remove.mutate() : setIsSure(true))}
        >
          {isSure ? 'Confirm delete' : 'Delete'}
        </Button>
      </div>
      {secret && (
        <NewSecret secret={secret} title="Signing secret">
          Keep it secret: anyone who has it can forge events.
        </NewSecret>
      )}
      <ErrorNotice error={error} />
    </section>
  );
}

function useWebhookActions({ id }: Webhook) {
  const api = useFullClient();
  const router = useRouter();
  const queryClient = useQueryClient();
  const renew = () => queryClient.invalidateQueries({ queryKey: developerKeys.webhook(id) });
  return {
    change: useMutation({
      mutationFn: (status: Webhook['status']) => api.updateWebhook(id, { status }),
      onSuccess: renew,
    }),
    test: useMutation({ mutationFn: () => api.testWebhook(id), onSuccess: renew }),
    rotate: useMutation({ mutationFn: () => api.rotateWebhookSecret(id), onSuccess: renew }),
    reveal: useMutation({ mutationFn: () => api.getWebhookSecret(id) }),
    remove: useMutation({
      mutationFn: () => api.deleteWebhook(id),
      onSuccess: async () => {
        await queryClient.invalidateQueries({ queryKey: ['developers'] });
        router.push('/developers/webhooks');
      },
    }),
  };
}

const FILTERS = [
  { value: 'all', label: 'All' },
  { value: 'pending', label: 'Pending' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
] as const;

type Filter = (typeof FILTERS)[number]['value'];

function DeliveryLog({ webhookId }: { webhookId: string }) {
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

function DeliveryRow({ delivery }: { delivery: WebhookDelivery }) {
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
          <LocalTime at={delivery.createdAt} format="exact" />
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
            <LocalTime at={attempt.at} format="exact" />
            <span className={clsx('nums', attempt.error && 'text-no')}>
              {attemptLabel(attempt)} in {attempt.durationMs} ms
            </span>
          </li>
        ))}
      </ol>
      {delivery.nextAttemptAt && (
        <p className="text-ink-3">
          Next attempt at <LocalTime at={delivery.nextAttemptAt} format="exact" />
        </p>
      )}
      {detail.data && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key
        <pre tabIndex={0} className="overflow-x-auto rounded-md bg-sunken p-3 font-mono">
          {pretty(detail.data.delivery.payload)}
        </pre>
      )}
      <div>
        <Button size="s" onClick={() => replay.mutate()} isBusy={replay.isPending}>
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
