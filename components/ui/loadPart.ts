import type { ComponentType } from 'react';

/**
 * Loads code of a page that comes after the page. Offline, it waits for the connection: a failure
 * would leave the page without the part, or replace it by its error. `dynamic` keeps what the
 * server rendered until then.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (navigator.onLine) throw error;
    await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }));
    return await load();
  }
}

/** As `loadPart`, for what the page works without: it is left out if it cannot be loaded. */
export function loadOptionalPart<Props>(
  load: () => Promise<ComponentType<Props>>,
): Promise<ComponentType<Props>> {
  return loadPart(load).catch(() => () => null);
}
