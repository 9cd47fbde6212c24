'use client';

/** The value of the account over time. */
export function ValueChart({ address }: { address: string }) {
  void address;
  return null;
}
