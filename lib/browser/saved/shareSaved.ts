import type { CrossbookClient } from '#lib/api/client.ts';
import { isApiProblem } from '#lib/api/problem.ts';
import { MOST_SAVED_CHANGES } from '#lib/api/savedLimits.ts';
import type { SavedChange, SavedItem, SavedList } from '#lib/api/schemas/saved.ts';
import { inOneTab } from '../oneTab.ts';
import { createBrowserStore } from '../storage/browserStore.ts';
import { knownAddresses } from '../withdraw/destinations.ts';
import { followHeld, heldItems, holdItems } from './heldItems.ts';
import { differences, firstChanges, type HeldItem, idOf, withDifferences } from './savedChanges.ts';
import { savedVersion } from './savedVersion.ts';

/** What this browser last received, and when its owner changed what was not sent yet. */
type Shared = {
  owner: string;
  version: number;
  items: readonly SavedItem[];
  /** By item; the later change counts, even if it is sent days later. */
  changedAt: Readonly<Record<string, string>>;
};

const store = createBrowserStore<Shared | undefined>('crossbook.saved', undefined, (value) =>
  typeof value === 'object' && value !== null && 'owner' in value ? (value as Shared) : undefined,
);

type Api = Pick<CrossbookClient, 'getSaved' | 'changeSaved'>;

/** A burst of changes is one request. */
const GATHER_MS = 400;
const RETRY_MS = 15_000;
const PRIVATE_KINDS: readonly SavedItem['kind'][] = ['contact', 'recipient'];

/**
 * Shares what the browser holds with the owner's other devices until the returned function is
 * called: sends changes of this browser, fetches those of others when the stream reports them.
 * Without a connection both wait; the browser's own storage serves the pages.
 */
export function shareSaved(api: Api, owner: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasStopped = false;
  let isHolding = false;
  const schedule = (delayMs: number) => {
    clearTimeout(timer);
    if (!hasStopped) timer = setTimeout(() => void run(), delayMs);
  };
  const hold = (items: readonly HeldItem[]) => {
    isHolding = true;
    holdItems(owner, items);
    isHolding = false;
  };
  const run = async () => {
    try {
      // Tabs take turns: the second one finds nothing left to send.
      await inOneTab('saved', () =>
        synchronize(api, owner, { hold, hasStopped: () => hasStopped }),
      );
    } catch (problem) {
      const isLater = !isApiProblem(problem) || problem.status === 0 || problem.status >= 429;
      if (isLater) schedule(RETRY_MS);
    }
  };
  const stops = [
    followHeld(() => {
      if (isHolding || !noteChanges(owner)) return;
      schedule(GATHER_MS);
    }),
    savedVersion.subscribe(() => {
      if (savedVersion.get() > (store.get()?.version ?? 0)) schedule(0);
    }),
  ];
  const reconnect = () => schedule(0);
  window.addEventListener('online', reconnect);
  schedule(0);
  return () => {
    hasStopped = true;
    clearTimeout(timer);
    window.removeEventListener('online', reconnect);
    for (const stop of stops) stop();
  };
}

/**
 * After a sign-out: what only the owner may see leaves this browser; the account keeps it. First what
 * was shared, else the removal would count as the owner's and reach the account.
 */
export function forgetPrivate(): Promise<void> {
  // A request under way brings the items once more.
  return inOneTab('saved', async () => {
    const shared = store.get();
    if (!shared) return;
    const isPublic = (id: string) => !PRIVATE_KINDS.some((kind) => id.startsWith(`${kind} `));
    store.set({
      ...shared,
      items: shared.items.filter((item) => isPublic(idOf(item))),
      changedAt: Object.fromEntries(
        Object.entries(shared.changedAt).filter(([id]) => isPublic(id)),
      ),
    });
    knownAddresses.replace([]);
  });
}

/** Notes the time of each change that was not sent yet; returns whether there is one. */
function noteChanges(owner: string): boolean {
  const shared = store.get();
  if (shared?.owner !== owner) return false;
  const changes = differences(shared.items, heldItems(owner));
  const now = new Date().toISOString();
  const changedAt = Object.fromEntries(
    changes.map((change) => [idOf(change), shared.changedAt[idOf(change)] ?? now]),
  );
  store.set({ ...shared, changedAt });
  return changes.length > 0;
}

type Holder = { hold: (items: readonly HeldItem[]) => void; hasStopped: () => boolean };

async function synchronize(api: Api, owner: string, { hold, hasStopped }: Holder): Promise<void> {
  const shared = store.get();
  const held = heldItems(owner);
  const changes = changesToSend(shared, owner, held);
  const received = await send(api, changes);
  if (hasStopped()) return;
  // What changed during the request is sent next.
  const since = differences(held, heldItems(owner));
  store.set({ owner, version: received.version, items: received.items, changedAt: {} });
  hold(withDifferences(received.items, since));
}

function changesToSend(
  shared: Shared | undefined,
  owner: string,
  held: readonly HeldItem[],
): SavedChange[] {
  if (shared?.owner !== owner) {
    const unsent = shared?.changedAt ?? {};
    const ours = held.filter((item) => !(idOf(item) in unsent));
    return firstChanges(ours, shared?.items ?? [], Date.now());
  }
  const now = new Date().toISOString();
  return differences(shared.items, held).map((change) => ({
    ...change,
    changedAt: shared.changedAt[idOf(change)] ?? now,
  }));
}

async function send(api: Api, changes: readonly SavedChange[]): Promise<SavedList> {
  for (let start = 0; start + MOST_SAVED_CHANGES < changes.length; start += MOST_SAVED_CHANGES) {
    await api.changeSaved(changes.slice(start, start + MOST_SAVED_CHANGES));
  }
  const last = changes.slice(
    Math.floor((changes.length - 1) / MOST_SAVED_CHANGES) * MOST_SAVED_CHANGES,
  );
  return last.length > 0 ? await api.changeSaved(last) : await api.getSaved();
}
