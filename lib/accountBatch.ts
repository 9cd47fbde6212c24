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
