/** The logo: a bid and an ask that meet. */
export function BrandMark({ className }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className={className}>
      <rect width="32" height="32" rx="7" fill="var(--ink)" />
      <path d="M6 8.5 16 16 6 23.5Z" className="fill-[light-dark(#5fd0c5,#0b6a62)]" />
      <path d="M26 8.5 16 16l10 7.5Z" className="fill-[light-dark(#f0a27e,#a3452a)]" />
    </svg>
  );
}
