import type { Trigger } from './trigger.ts';

export type OpenTrigger = Trigger & { id: string };

/** What waits for prices: stop orders, price alerts. */
export type TriggerSource = {
  /** For the log. */
  name: string;
  listOpen(): Promise<OpenTrigger[]>;
  /**
   * Fires a trigger, unless it has fired or ended meanwhile.
   * @param seen the price at the exchange that reached it
   * @returns whether this call has fired it
   */
  fire(trigger: OpenTrigger, seen: { priceMicros: bigint; at: Date }): Promise<boolean>;
};
