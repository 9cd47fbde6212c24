/** Of an order or an entry of the activity. */
type Ended = { source: 'api' | 'calldata' | null; terminationReason: string | null };

/**
 * Whether the owner ended it before the wallet sent it. No funds moved, so there is nothing to
 * report.
 */
export function isCancelledByOwner({ source, terminationReason }: Ended): boolean {
  return source === 'calldata' && terminationReason === 'cancelled';
}
