import { createStore } from '../storage/store.ts';

/** The version of what the account saved, as the event stream last reported it. */
export const savedVersion = createStore(0);
