import type { ReactElement } from 'react';

/** The logo on a full square, for systems that round icons themselves. */
export function markImage(edge: number): ReactElement {
  return (
    <svg width={edge} height={edge} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" fill="#14181f" />
      <path d="M7 9.25 16 16l-9 6.75Z" fill="#5fd0c5" />
      <path d="M25 9.25 16 16l9 6.75Z" fill="#f0a27e" />
    </svg>
  );
}
