'use client';

import { useQuery } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { Notice } from '#components/ui/Notice.tsx';
import type { CalldataResult } from '#lib/api/schemas/order.ts';
import { shortHex } from '#lib/format/address.ts';
import type { Ticket } from './useTicket.ts';

/** Every call the wallet will be asked to sign, decoded from its data into words. */
export function CallList({ ticket, calls }: { ticket: Ticket; calls: CalldataResult }) {
  const { site } = useApp();
  const account = ticket.visitor.account?.smartAccountAddress;
  const described = useQuery({
    queryKey: ['described-calls', calls.intent.id],
    queryFn: async () => {
      const { describeCalls } = await import('#lib/trade/describeCalls.ts');
      const list = calls.transactions.map(({ to, data }) => ({
        to: to as `0x${string}`,
        data: data as `0x${string}`,
      }));
      return describeCalls(site, account as `0x${string}`, list);
    },
    enabled: account !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { progress } = ticket.order;
  const count = calls.transactions.length;
  return (
    <section aria-label="What you sign" className="rounded-md border border-line p-3">
      <h3 className="font-medium text-[14px]">
        {count === 1 ? 'You sign one transaction' : `You sign ${count} transactions`}
      </h3>
      <ol className="mt-2 grid gap-2">
        {described.data?.map((call, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed and in order
          <li key={index} className="flex gap-2.5 text-[14px]">
            <span aria-hidden className="nums text-ink-3">
              {index + 1}
            </span>
            <span>
              {call.text}
              <span className="block text-[13px] text-ink-3">
                {call.toName} <span className="font-mono">{shortHex(call.to)}</span>
              </span>
            </span>
          </li>
        ))}
      </ol>
      {described.data?.some((call) => !call.understood) && (
        <div className="mt-2">
          <Notice tone="caution">One of these calls could not be read. Do not sign it.</Notice>
        </div>
      )}
      {progress && (
        <p role="status" className="mt-3 text-[13px] text-ink-2">
          {progress.isAtomic
            ? 'All at once: '
            : `Transaction ${Math.min(progress.sent + 1, progress.total)} of ${progress.total}: `}
          {progress.waiting === 'wallet' ? 'confirm it in your wallet' : 'waiting for the chain'}
        </p>
      )}
    </section>
  );
}
