/** The limits that an order requires. */
export type RequiredLimits = { perOrderMicros: bigint; perDayMicros: bigint };
