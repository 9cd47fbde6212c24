export function Spinner() {
  return (
    <span
      aria-hidden
      className="inline-block size-4 shrink-0 rounded-full border-2 border-current border-r-transparent motion-safe:animate-spin"
    />
  );
}
