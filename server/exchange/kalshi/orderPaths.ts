/** Where the exchange takes orders and their changes. */
export const ORDERS_PATH = '/portfolio/events/orders';
export const BATCH_PATH = `${ORDERS_PATH}/batched`;

export function orderPath(exchangeOrderId: string): string {
  return `${ORDERS_PATH}/${encodeURIComponent(exchangeOrderId)}`;
}

/** Orders per message: beyond this, waiting for each other costs more than separate messages. */
export const MOST_TOGETHER = 20;
