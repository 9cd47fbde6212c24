import type { NewAlert } from '../admin/alerts.ts';

/** The alert of one shard without enough cash for an order. */
export function unfundedAlert(shard: number) {
  return {
    kind: 'exchange_unfunded',
    subject: `shard ${shard}`,
    detail: `Insufficient cash in our exchange account, shard ${shard}; orders wait or are refunded.`,
  } as const satisfies NewAlert;
}
