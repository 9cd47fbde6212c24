/** How `TradingAccount.execute` (ERC-7821) takes a batch of calls. */
export const ACCOUNT_BATCH = [
  {
    type: 'tuple[]',
    components: [
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'data', type: 'bytes' },
    ],
  },
] as const;

/** ERC-7821: a batch of calls, all or nothing, without extra authorisation data. */
export const BATCH_MODE: `0x${string}` = `0x01${'00'.repeat(31)}`;
