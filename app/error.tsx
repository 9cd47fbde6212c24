'use client';

/**
 * Shown when the layout fails, including its header. It resembles the site but uses none of its
 * components: every page preloads it.
 */
export default function RootErrorPage({ error }: { error: Error & { digest?: string } }) {
  return (
    <main className="page-width py-16">
      <div className="sheet grid justify-items-center gap-2 px-6 py-14 text-center">
        <h1 className="font-medium text-17">This page could not be loaded</h1>
        <p className="max-w-md text-balance text-ink-2">
          Your funds are safe. Orders you placed are still being processed.
        </p>
        {error.digest && <p className="font-mono text-13 text-ink-3">Reference {error.digest}</p>}
        <button
          type="button"
          className="mt-3 min-h-11 rounded-md bg-ink px-4 font-medium text-15 text-on-ink hover:opacity-90"
          onClick={() => location.reload()}
        >
          Try again
        </button>
      </div>
    </main>
  );
}
