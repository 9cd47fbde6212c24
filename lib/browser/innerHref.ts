/** Served as they are, by no page. */
const NO_PAGE = /^\/(v1|sandbox)\/|\.[a-z]+$/;

/**
 * Where on this site a click leads to in this tab; undefined when it is the browser's to follow or
 * somebody has dealt with it already.
 */
export function innerHref(event: MouseEvent): string | undefined {
  if (event.defaultPrevented || event.button !== 0 || isModified(event)) return undefined;
  if (!(event.target instanceof Element)) return undefined;
  const link = event.target.closest('a');
  if (!link?.hasAttribute('href') || link.target !== '' || link.hasAttribute('download')) {
    return undefined;
  }
  const to = new URL(link.href);
  if (to.origin !== location.origin || NO_PAGE.test(to.pathname)) return undefined;
  const isSamePage = to.pathname === location.pathname && to.search === location.search;
  // A place on this page, which the browser goes to by itself.
  if (isSamePage && to.hash !== '') return undefined;
  return `${to.pathname}${to.search}${to.hash}`;
}

/** Whether a click changes only what is before the reader, who then stays where they are. */
export function keepsPlace({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest('[data-keeps-place]') !== null;
}

function isModified(event: MouseEvent): boolean {
  return event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
}
