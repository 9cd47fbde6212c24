'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { Button } from '#components/ui/Button.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { orderKeys } from '#lib/browser/queries/orders.ts';

/** Cancels an order whose funds are not yet locked; renders nothing after that. */
export function CancelOrder({ order }: { order: OrderRecordWithEvents }) {
  const { api } = useApp();
  const { session } = useVisitor();
  const queryClient = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => api.cancelOrder(order.id),
    onSuccess: (response) =>
      queryClient.setQueriesData({ queryKey: orderKeys.detail(order.id) }, response.order),
    onError: () => queryClient.invalidateQueries({ queryKey: orderKeys.detail(order.id) }),
  });
  const isPossible = order.status === 'pending' && !order.isComplete && session !== undefined;
  return (
    <>
      {isPossible && (
        <Button disabled={cancel.isPending || cancel.isSuccess} onClick={() => cancel.mutate()}>
          {cancel.isPending && <Spinner />}
          {cancel.isSuccess ? 'Cancelling' : 'Cancel'}
        </Button>
      )}
      {cancel.isError && (
        <Notice tone="problem" live>
          {cancel.error.message}
        </Notice>
      )}
    </>
  );
}
