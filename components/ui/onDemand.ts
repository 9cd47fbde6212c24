import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/**
 * A component whose code is asked for when it is first drawn. What pages carry from the beginning
 * uses this and not Next's `dynamic`, which would come with it and is a kilobyte.
 */
export function onDemand<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await load() }));
}
