import type { ComponentType } from 'react';

/**
 * Loads code of a page that comes after the page. Offline, it waits for the connection: a failure
 * would leave the page without the part, or replace it by its error. `dynamic` keeps what the
 * server rendered until then.
 */
export function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  return load().catch((error: unknown) => {
    if (navigator.onLine) throw error;
    return new Promise((resolve) => addEventListener('online', resolve)).then(load);
  });
}

/** As `loadPart`, for what the page works without: it is left out if it cannot be loaded. */
export function loadOptionalPart<Props>(
  load: () => Promise<ComponentType<Props>>,
): Promise<ComponentType<Props>> {
  return loadPart(load).catch(() => () => null);
}
