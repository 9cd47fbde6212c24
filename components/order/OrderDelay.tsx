'use client';

import { useNow } from '#components/ui/clock.ts';
import { Notice } from '#components/ui/Notice.tsx';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { orderDelayWords } from './orderView.ts';

/** After a while without progress: a message that it takes longer and that the money is safe. */
export function OrderDelay({ order }: { order: OrderRecordWithEvents }) {
  const now = useNow();
  const words = now === undefined ? undefined : orderDelayWords(order, now);
  if (!words) return null;
  return (
    <Notice tone="caution" title="This is taking longer than usual">
      {words}
    </Notice>
  );
}
