/** The list's shape while the server gathers it. */
export default function Loading() {
  return (
    <div role="status">
      <span className="sr-only">Loading</span>
      <div className="skeleton mb-6 h-10" />
      <div className="grid gap-4 lg:grid-cols-2">
        {Array.from({ length: 6 }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
          <div key={index} className="skeleton h-[280px]" />
        ))}
      </div>
    </div>
  );
}
