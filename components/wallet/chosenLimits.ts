import type { Account } from '#lib/api/schemas/account.ts';
import { type GrantLimits, limitsOf, readLimits } from '#lib/browser/account/grantLimits.ts';
import { createDraft, type Draft } from '#lib/browser/storage/draft.ts';
import { createStore, useStore } from '#lib/browser/storage/store.ts';

type Choice = { owner: string; limits: GrantLimits };

const kept = createDraft('limits', readLimits);
const choice = createStore<Choice | undefined>(undefined);

/** The currently chosen limits, shared by every component that shows or signs them. */
export const limitsDraft: Draft<GrantLimits> = {
  of: (owner) => {
    const chosen = choice.get();
    return chosen?.owner === owner ? chosen.limits : kept.of(owner);
  },
  keep: (owner, limits) => {
    kept.keep(owner, limits);
    choice.set({ owner, limits });
  },
  drop: () => {
    kept.drop();
    choice.set(undefined);
  },
};

/** The choice in this tab, else the previous permission, else the defaults. */
export function chosenLimits({ owner, grant }: Account): GrantLimits {
  return limitsDraft.of(owner) ?? limitsOf(grant);
}

export function useChosenLimits(
  account: Account,
): [GrantLimits, (change: Partial<GrantLimits>) => void] {
  const chosen = useStore(choice, undefined);
  const limits = chosen?.owner === account.owner ? chosen.limits : chosenLimits(account);
  return [limits, (change) => limitsDraft.keep(account.owner, { ...limits, ...change })];
}
