import { EmptyState } from './EmptyState.tsx';

/** Stands in for a part of the page whose code did not arrive, as without a network. */
function PartMissing() {
  return (
    <EmptyState title="This part did not load">
      Reload the page once you are online again. Nothing you did is lost.
    </EmptyState>
  );
}

/** For the end of a dynamic import: a missing part must not take the page with it. */
export function partMissing(): typeof PartMissing {
  return PartMissing;
}

/** The same for parts that are not needed to use the page. */
export function nothingInstead(): () => null {
  return () => null;
}
