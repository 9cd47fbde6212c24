import type { Metadata } from 'next';
import { OrderTracker } from '#components/order/OrderTracker.tsx';

export const metadata: Metadata = { title: 'Order' };

export default async function OrderPage(props: { params: Promise<{ id: string }> }) {
  const { id } = await props.params;
  return <OrderTracker id={id} />;
}
