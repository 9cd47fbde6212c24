import clsx from 'clsx';
import { encode } from 'uqr';

type QrCodeProps = { text: string; label: string; className?: string };

/** A QR code rendered in the page; always dark on light, as scanners expect it. */
export function QrCode({ text, label, className = 'size-40' }: QrCodeProps) {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
      className={clsx('rounded-md border border-line', className)}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#14181f" />
    </svg>
  );
}
