import { connection } from 'next/server';
import { NotFoundMessage } from '#components/app/NotFoundMessage.tsx';

/** Rendered per request: a static page would have no nonce for its scripts. */
export default async function NotFound() {
  await connection();
  return (
    <main className="page-width py-16">
      <NotFoundMessage />
    </main>
  );
}
