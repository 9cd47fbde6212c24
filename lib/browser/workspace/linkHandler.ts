import { createStore } from '../storage/store.ts';

/** Set while a page opens some links itself; it returns whether it has opened this one. */
export const linkHandler = createStore<((href: string) => boolean) | undefined>(undefined);
