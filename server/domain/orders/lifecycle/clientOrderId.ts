/** The id under which the exchange knows a try of an order: the same in every process, used once. */
export function clientOrderIdOf(orderId: string, attempt: number): string {
  return `cb-${orderId}-${attempt}`;
}

/** The same for a try of trading back what the house holds of an order by mistake. */
export function unwindOrderIdOf(orderId: string, attempt: number): string {
  return `cb-${orderId}-u${attempt}`;
}

const PATTERN = /^cb-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(u?)(\d{1,6})$/;

/** Which of our orders a client order id names; undefined for an id that we do not make. */
export function parseClientOrderId(
  clientOrderId: string,
): { orderId: string; attempt: number; isUnwind: boolean } | undefined {
  const [, orderId, unwind, attempt] = PATTERN.exec(clientOrderId) ?? [];
  if (orderId === undefined) return undefined;
  return { orderId, attempt: Number(attempt), isUnwind: unwind === 'u' };
}
