import { createStore } from '../storage/store.ts';

/**
 * How the page receives changes. `idle`: no subscribers. `live`: through the event stream.
 * `polling`: the stream is not connected, so queries poll at short intervals.
 */
export type LiveStatus = 'idle' | 'polling' | 'live';

export const liveStatus = createStore<LiveStatus>('idle');

/** The poll interval: long while the stream delivers changes. */
export function pollEvery(polling: number, live: number): number {
  return liveStatus.get() === 'live' ? live : polling;
}
