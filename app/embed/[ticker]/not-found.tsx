export default function EmbedNotFound() {
  return (
    <main className="grid min-h-dvh content-center gap-1 bg-surface p-4 text-center">
      <h1 className="font-semibold text-16">Market not found</h1>
      <p className="text-14 text-ink-2">
        <a href="/" target="_blank" rel="noopener" className="underline underline-offset-4">
          See all markets on Crossbook
        </a>
      </p>
    </main>
  );
}
