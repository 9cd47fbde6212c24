import type { Metadata } from 'next';
import { OrderTracker } from '#components/order/OrderTracker.tsx';
import { TERMINATION_REASONS } from '#server/domain/orders/lifecycle/terminationReasons.ts';

export const metadata: Metadata = { title: 'Order' };

export default async function OrderPage(props: { params: Promise<{ id: string }> }) {
  const { id } = await props.params;
  return <OrderTracker id={id} reasons={TERMINATION_REASONS} />;
}
