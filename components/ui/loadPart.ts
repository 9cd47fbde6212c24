import type { ComponentType } from 'react';

type Load<Props> = () => Promise<ComponentType<Props>>;

/**
 * Loads a part of a page for `dynamic`. Offline, the part waits for the connection, and its place
 * keeps what the server rendered; a failure would replace the whole page by its error.
 */
export async function loadPart<Props>(load: Load<Props>): Promise<ComponentType<Props>> {
  try {
    return await load();
  } catch (error) {
    if (navigator.onLine) throw error;
    await new Promise((resolve) => window.addEventListener('online', resolve, { once: true }));
    return await load();
  }
}

/** As `loadPart`, for what the page works without: it is left out if it cannot be loaded. */
export function loadOptionalPart<Props>(load: Load<Props>): Promise<ComponentType<Props>> {
  return loadPart(load).catch(() => () => null);
}
