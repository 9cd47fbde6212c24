import { SAVED_LIMITS } from '#lib/api/savedLimits.ts';
import { createBrowserStore } from '../storage/browserStore.ts';
import { useStore } from '../storage/store.ts';

/** A list of markets with its filters and sort order. */
export type SavedView = { href: string; name: string };

const NOTHING: SavedView[] = [];
export const savedViewsStore = createBrowserStore('crossbook.views', NOTHING, readViews);

/** As many as fit on a screen. */
export const MAX_SAVED_VIEWS = SAVED_LIMITS.view;

/** The visitor's saved views, newest first. */
export function useSavedViews(): SavedView[] {
  return useStore(savedViewsStore, NOTHING);
}

/** Saves the view, or deletes it if it is saved. */
export function toggleSavedView(view: SavedView): void {
  savedViewsStore.set(withToggled(savedViewsStore.get(), view));
}

/** The views with this one first, or without it if it was among them. */
export function withToggled(views: SavedView[], view: SavedView): SavedView[] {
  const others = views.filter(({ href }) => href !== view.href);
  return others.length < views.length ? others : [view, ...others].slice(0, MAX_SAVED_VIEWS);
}

/** Views from storage; undefined unless each links to a list of this site. */
export function readViews(value: unknown): SavedView[] | undefined {
  return Array.isArray(value) && value.every(isView) ? value : undefined;
}

function isView(value: Partial<SavedView> | null | undefined): value is SavedView {
  return typeof value?.name === 'string' && /^\/(search)?\?/.test(value.href ?? '');
}
