/** Of an order or an entry of the activity. */
type Ended = { source: 'api' | 'calldata' | null; terminationReason: string | null };

/** Whether its owner ended it before their wallet had sent it. They know that, and nothing moved. */
export function isCancelledByOwner({ source, terminationReason }: Ended): boolean {
  return source === 'calldata' && terminationReason === 'cancelled';
}
