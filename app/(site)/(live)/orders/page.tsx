import type { Metadata } from 'next';
import { OrderTable } from '#components/order/OrderTable.tsx';

export const metadata: Metadata = { title: 'Orders' };

export default function OrdersPage() {
  return (
    <>
      <h1 className="mb-5 font-semibold text-[26px] tracking-[-0.015em]">Orders</h1>
      <OrderTable />
    </>
  );
}
