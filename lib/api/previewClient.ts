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
  };
}

/** The previews alone: only a page with a ticket asks for them. */
export function createPreviewClient(options: TransportOptions) {
  return previewCalls(methodsOf(createTransport(options)));
}
