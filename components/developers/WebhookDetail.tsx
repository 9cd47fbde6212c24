'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useFullClient } from '#components/app/useFullClient.ts';
import { Button } from '#components/ui/Button.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { SignInPrompt } from '#components/wallet/SignInPrompt.tsx';
import type { Webhook } from '#lib/api/schemas/webhook.ts';
import { developerKeys, webhookQuery } from '#lib/browser/queries/developers.ts';
import { DeliveryLog } from './DeliveryLog.tsx';
import { ExactTime } from './ExactTime.tsx';
import { NewSecret } from './NewSecret.tsx';
import { subscriptionLabel, webhookStatusLabel } from './webhookLabels.ts';

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
  if (webhook.isPending) {
    return <div className="skeleton h-48" role="status" aria-label="Loading" />;
  }
  if (!webhook.data) {
    return (
      <EmptyState
        title="This webhook could not be loaded"
        action={<Button onClick={() => void webhook.refetch()}>Try again</Button>}
      >
        {webhook.error?.message}
      </EmptyState>
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
            · failing since <ExactTime at={webhook.failingSince} />
          </span>
        )}
        {webhook.description !== '' && <span className="text-ink-3"> · {webhook.description}</span>}
        <span className="mt-1 block text-13 text-ink-3">
          {subscriptionLabel(webhook)}
          {webhook.lastDeliveredAt && (
            <>
              {' '}
              · last delivered <ExactTime at={webhook.lastDeliveredAt} />
            </>
          )}
        </span>
      </p>
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" disabled={!isOn || test.isPending} onClick={() => test.mutate()}>
          {test.isPending && <Spinner />}
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
      {error && (
        <Notice tone="problem" live>
          {error.message}
        </Notice>
      )}
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
