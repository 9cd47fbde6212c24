/** The id of one attempt at the exchange: deterministic across processes, used once. */
export function clientOrderIdOf(orderId: string, attempt: number): string {
  return `cb-${orderId}-${attempt}`;
}

/** The same for an attempt to trade back contracts that the house holds by mistake. */
export function unwindOrderIdOf(orderId: string, attempt: number): string {
  return `cb-${orderId}-u${attempt}`;
}

const PATTERN = /^cb-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(u?)(\d{1,6})$/;

/** The order that a client order id belongs to; undefined for a foreign id. */
export function parseClientOrderId(
  clientOrderId: string,
): { orderId: string; attempt: number; isUnwind: boolean } | undefined {
  const [, orderId, unwind, attempt] = PATTERN.exec(clientOrderId) ?? [];
  if (orderId === undefined) return undefined;
  return { orderId, attempt: Number(attempt), isUnwind: unwind === 'u' };
}
