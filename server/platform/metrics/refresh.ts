/** What is to be read before a scrape is answered. Once per process, as the registry is. */
const SHARED = Symbol.for('crossbook.metrics.refreshers');
type Refresh = () => Promise<void>;
type Shared = { [SHARED]?: Refresh[] };

function refreshers(): Refresh[] {
  const shared = globalThis as Shared;
  shared[SHARED] ??= [];
  return shared[SHARED];
}

/** Has something read before each scrape; it must not throw. */
export function beforeScrape(refresh: Refresh): void {
  refreshers().push(refresh);
}

export async function refreshAll(): Promise<void> {
  await Promise.all(refreshers().map((refresh) => refresh()));
}
