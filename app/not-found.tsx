import Link from 'next/link';
import { connection } from 'next/server';
import { buttonStyle } from '#components/ui/Button.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';

/** Rendered anew each time: a page from the build would have no nonce for its scripts. */
export default async function NotFound() {
  await connection();
  return (
    <main className="page-width py-16">
      <EmptyState
        level={1}
        title="There is nothing at this address"
        action={
          <Link href="/" className={buttonStyle('outline')}>
            To the markets
          </Link>
        }
      >
        The market or page may have been removed, or the link is not complete.
      </EmptyState>
    </main>
  );
}
