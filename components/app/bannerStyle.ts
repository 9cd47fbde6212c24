/** A word about the whole page, over it, so that nothing moves. */
export const BANNER =
  'fixed top-[calc(var(--header-height)+8px)] left-1/2 z-30 w-max max-w-[calc(100vw-32px)] -translate-x-1/2 items-center gap-2.5 rounded-md border border-line bg-caution-soft px-4 py-2.5 text-14 text-caution shadow-(--shadow-float)';
