import { beforeScrape, gauge } from '../../platform/metrics/registry.ts';
import { withTimeout } from '../../platform/withTimeout.ts';
import { databaseParts } from './databaseParts.ts';
import { externalParts } from './externalParts.ts';
import type { ServiceDeps } from './parts.ts';

const TIMEOUT_MS = 3_000;

/**
 * Gauges of the whole service from the database, the chain and the exchange, read on each scrape.
 * Every processor reports the same, so queries take the maximum, never the sum. A part that cannot
 * be read keeps no old value: its gauges disappear and `crossbook_part_readable` is 0.
 */
export function watchService(deps: ServiceDeps): void {
  const parts = [...databaseParts(deps), ...externalParts(deps)];
  const readable = gauge(
    'crossbook_part_readable',
    'Whether the last scrape could read a part of the service: 1, or 0.',
    ['part'],
  );
  const readAt = new Map<string, number>();
  beforeScrape(async () => {
    const now = performance.now();
    const due = parts.filter(
      (part) => now - (readAt.get(part.name) ?? Number.NEGATIVE_INFINITY) >= part.freshMs,
    );
    await Promise.all(
      due.map(async (part) => {
        readAt.set(part.name, now);
        const samples = await withTimeout(part.read(), TIMEOUT_MS).catch(() => undefined);
        for (const one of part.gauges) {
          one.reset();
          // A reset gauge without labels would report 0.
          one.remove({});
        }
        for (const { gauge: shown, labels = {}, value } of samples ?? []) shown.set(labels, value);
        readable.set({ part: part.name }, samples ? 1 : 0);
      }),
    );
  });
}
