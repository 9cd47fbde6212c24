/** For a dynamic import that fails, such as offline: an optional part must not break the page. */
export function renderNothing(): () => null {
  return () => null;
}
