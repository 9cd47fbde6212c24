import { EmptyState } from '#components/ui/EmptyState.tsx';

export function NotFoundMessage() {
  return (
    <EmptyState level={1} title="Page not found" link={{ href: '/', label: 'Browse markets' }}>
      The page may have been removed, or the link may be incomplete.
    </EmptyState>
  );
}
