import { whenIdle } from './whenIdle.ts';

/** What a page was opened for is there by then, on most machines. */
export const AT_REST_MS = 800;

/**
 * Says in `data-at-rest` that the page has come to rest, for what CSS puts off until then. Answers
 * how to call it off.
 */
export function tellAtRest(): () => void {
  return whenIdle(() => {
    document.documentElement.dataset.atRest = '';
  }, AT_REST_MS);
}
