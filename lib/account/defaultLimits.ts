/** What a permission allows unless the owner chooses otherwise, in dollars. */
export const DEFAULT_LIMITS = {
  maxPerOrder: '1000',
  maxPerDay: '5000',
  /** Only where the owner has switched withdrawals to other addresses on; nothing otherwise. */
  maxWithdrawPerDay: '500',
} as const;
