import { createStore } from '../storage/store.ts';

/**
 * How the page hears of changes. `idle`: nothing to hear of. `live`: through the event stream.
 * `polling`: the stream is not there (yet or any more), so queries ask in short intervals.
 */
export type LiveStatus = 'idle' | 'polling' | 'live';

export const liveStatus = createStore<LiveStatus>('idle');

/** How long to wait until asking again: seldom while changes come by themselves. */
export function pollEvery(polling: number, live: number): number {
  return liveStatus.get() === 'live' ? live : polling;
}
