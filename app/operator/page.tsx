import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Suspense } from 'react';
import { AdminShell } from '#components/admin/AdminShell.tsx';
import { BrandMark } from '#components/app/Brand.tsx';
import { getRuntime } from '#server/api/webRuntime.ts';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = {
  title: 'Operations',
  robots: { index: false, follow: false },
};

/** The admin page: available only if enabled, and separate from the site. */
export default async function OperatorPage() {
  const { config } = await getRuntime();
  if (!config.operator.isOpen) notFound();
  return (
    <>
      <header className="border-b bg-surface">
        <div className="page-width flex h-(--header-height) items-center gap-3">
          <BrandMark className="size-7" />
          <span className="font-semibold">Crossbook</span>
          <span className="rounded-sm bg-sunken px-2 py-0.5 text-13 text-ink-2">Operations</span>
        </div>
      </header>
      <main id="main" className="page-width min-h-[60dvh] py-8">
        <Suspense>
          <AdminShell />
        </Suspense>
      </main>
    </>
  );
}
