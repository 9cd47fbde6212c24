/**
 * The fallback of a dynamic import that fails, for example offline: an optional part must not break
 * the page.
 */
export function renderNothing(): () => null {
  return () => null;
}
