import { EmptyState } from '#components/ui/EmptyState.tsx';

/** What stands at an address that leads nowhere. */
export function NotFoundMessage() {
  return (
    <EmptyState
      level={1}
      title="There is nothing at this address"
      link={{ href: '/', label: 'To the markets' }}
    >
      The market or page may have been removed, or the link is not complete.
    </EmptyState>
  );
}
