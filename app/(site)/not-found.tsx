import { buttonStyle } from '#components/ui/Button.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';

export default function NotFound() {
  return (
    <EmptyState
      level={1}
      title="There is nothing at this address"
      action={
        <a href="/" className={buttonStyle('outline')}>
          To the markets
        </a>
      }
    >
      The market or page may have been removed, or the link is not complete.
    </EmptyState>
  );
}
