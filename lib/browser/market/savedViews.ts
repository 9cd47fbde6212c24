import { createBrowserStore } from '../storage/browserStore.ts';
import { useStore } from '../storage/store.ts';

/** A list of markets as somebody narrowed and sorted it. */
export type SavedView = { href: string; name: string };

const NOTHING: SavedView[] = [];
const store = createBrowserStore('crossbook.views', NOTHING, readViews);

/** What fits on a screen. */
export const MAX_SAVED_VIEWS = 12;

/** Views the visitor keeps, newest first. Kept in the browser; nobody else learns of them. */
export function useSavedViews(): SavedView[] {
  return useStore(store, NOTHING);
}

/** Keeps the view, or forgets it. */
export function toggleSavedView(view: SavedView): void {
  store.set(withToggled(store.get(), view));
}

/** The views with this one first, or without it where it is among them. */
export function withToggled(views: SavedView[], view: SavedView): SavedView[] {
  const others = views.filter(({ href }) => href !== view.href);
  return others.length < views.length ? others : [view, ...others].slice(0, MAX_SAVED_VIEWS);
}

/** What a browser had kept; undefined unless each leads to a list of this site. */
export function readViews(value: unknown): SavedView[] | undefined {
  return Array.isArray(value) && value.every(isView) ? value : undefined;
}

function isView(value: Partial<SavedView> | null | undefined): value is SavedView {
  return typeof value?.name === 'string' && /^\/(search)?\?/.test(value.href ?? '');
}
