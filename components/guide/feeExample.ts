/** What a purchase costs, in USDC micros, as the service computes it. */
export type FeeExample = {
  contractMicros: bigint;
  priceMicros: bigint;
  contractsCostMicros: bigint;
  feeMicros: bigint;
  totalMicros: bigint;
  payoutMicros: bigint;
};
