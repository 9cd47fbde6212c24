/** The default limits of a permission, in dollars. */
export const DEFAULT_LIMITS = {
  maxPerOrder: '1000',
  maxPerDay: '5000',
  /**
   * Applies only if the owner has allowed withdrawals to other addresses; otherwise the cap is 0.
   */
  maxWithdrawPerDay: '500',
} as const;
