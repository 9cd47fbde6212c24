import type { AnyOrderRequestInput, OrderToSign } from './schemas/order.ts';
import type {
  OrderPreviewQuery,
  OrderPreviewRequestInput,
  OrderPreviews,
} from './schemas/orderPreview.ts';
import {
  type CallOptions,
  createTransport,
  type Methods,
  methodsOf,
  type TransportOptions,
} from './transport.ts';

export function previewCalls({ post }: Methods) {
  return {
    /** What would happen to each of up to 20 orders now. */
    previewOrders: (
      body: OrderPreviewRequestInput,
      { source, ...options }: CallOptions & Partial<OrderPreviewQuery> = {},
    ) => post<OrderPreviews>('/v1/order/preview', { body, query: { source }, ...options }),
    /** What a session key signs for `createOrder`; `placeOrder` of lib/order/signOrder.ts does both. */
    prepareOrder: (body: AnyOrderRequestInput, options?: CallOptions) =>
      post<OrderToSign>('/v1/order/typed-data', { body, ...options }),
  };
}

/** What only a page with a ticket asks for. */
export function createPreviewClient(options: TransportOptions) {
  return previewCalls(methodsOf(createTransport(options)));
}
