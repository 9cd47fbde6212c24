import { connection } from 'next/server';
import { NothingHere } from '#components/app/NothingHere.tsx';

/** Rendered anew each time: a page from the build would have no nonce for its scripts. */
export default async function NotFound() {
  await connection();
  return (
    <main className="page-width py-16">
      <NothingHere />
    </main>
  );
}
