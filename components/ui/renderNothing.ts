/**
 * For the end of a dynamic import whose code did not arrive, as without a network: a part that is
 * not needed to use the page must not take the page with it.
 */
export function renderNothing(): () => null {
  return () => null;
}
