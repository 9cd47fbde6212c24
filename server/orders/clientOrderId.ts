/** The id under which the exchange knows a try of an order: the same in every process, used once. */
export function clientOrderIdOf(orderId: string, attempt: number): string {
  return `cb-${orderId}-${attempt}`;
}
