import type { Metadata } from 'next';
import { ChoiceLinks, PillLinks } from '#components/market/FilterLinks.tsx';
import { OrderTable } from '#components/order/OrderTable.tsx';
import { ORDER_STATUSES, ORDER_TYPES, ordersHref } from '#components/order/orderFilter.ts';
import { PageHead } from '#components/ui/PageHead.tsx';
import { oneOf, type PageParams } from '../../_data/params.ts';

export const metadata: Metadata = { title: 'Orders' };

export default async function OrdersPage(props: { searchParams: Promise<PageParams> }) {
  const params = await props.searchParams;
  const filter = {
    type: oneOf(params, 'type', ORDER_TYPES),
    status: oneOf(params, 'status', ORDER_STATUSES),
  };
  return (
    <>
      <PageHead title="Orders" />
      <div className="relative mb-4 flex flex-wrap items-center gap-x-5 border-b pb-2">
        <PillLinks
          label="Type"
          options={[...ORDER_TYPES]}
          current={filter.type}
          href={(type) => ordersHref(filter, { type: oneOf({ type }, 'type', ORDER_TYPES) })}
        />
        <ChoiceLinks
          label="Status"
          options={ORDER_STATUSES}
          current={filter.status}
          href={(status) => ordersHref(filter, { status })}
        />
      </div>
      <OrderTable filter={filter} />
    </>
  );
}
