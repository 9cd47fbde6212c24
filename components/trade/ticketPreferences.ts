import { createBrowserStore } from '#lib/browser/storage/browserStore.ts';
import { useStore } from '#lib/browser/storage/store.ts';
import type { AmountUnit } from '#lib/browser/trade/amount.ts';
import type { SlippageBps } from '#lib/browser/trade/quote.ts';

/** The visitor's trading preferences, stored in the browser across tickets. */
export type TicketPreferences = {
  execution: 'forMe' | 'self';
  slippageBps: SlippageBps;
  /** The unit of a purchase. */
  unit: AmountUnit;
};

export const SLIPPAGES = [50, 100, 200, 500] as const;

const USUAL: TicketPreferences = { execution: 'forMe', slippageBps: 200, unit: 'dollars' };

function readPreferences(value: unknown): TicketPreferences | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { execution, slippageBps, unit } = value as Record<string, unknown>;
  return {
    execution: execution === 'self' ? 'self' : 'forMe',
    slippageBps: SLIPPAGES.find((bps) => bps === slippageBps) ?? USUAL.slippageBps,
    unit: unit === 'contracts' ? 'contracts' : 'dollars',
  };
}

const store = createBrowserStore('crossbook.ticket', USUAL, readPreferences);

export function useTicketPreferences(): TicketPreferences {
  return useStore(store, USUAL);
}

export function preferTicket(part: Partial<TicketPreferences>): void {
  store.set({ ...store.get(), ...part });
}
