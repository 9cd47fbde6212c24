import type { ReactElement } from 'react';

/** What a shared link shows of a page. */
export type ShareCardContent = {
  eyebrow: string;
  title: string;
  lines: { label: string; value: string }[];
};

export const SHARE_SIZE = { width: 1200, height: 630 };

const PAPER = '#fbfaf7';
const INK = '#14181f';
const QUIET = '#5d6370';

/** The picture of a page for where links are shared, as `next/og` draws it. */
export function shareCard({ eyebrow, title, lines }: ShareCardContent): ReactElement {
  return (
    <div
      style={{
        width: '100%',
        height: '100%',
        display: 'flex',
        flexDirection: 'column',
        justifyContent: 'space-between',
        padding: 72,
        background: PAPER,
        color: INK,
      }}
    >
      <div style={{ display: 'flex', flexDirection: 'column', gap: 16 }}>
        <div style={{ display: 'flex', fontSize: 28, color: QUIET }}>{eyebrow}</div>
        <div style={{ display: 'flex', fontSize: title.length > 70 ? 50 : 62, lineHeight: 1.15 }}>
          {title}
        </div>
      </div>
      <div style={{ display: 'flex', alignItems: 'flex-end', justifyContent: 'space-between' }}>
        <div style={{ display: 'flex', gap: 56 }}>
          {lines.map((line) => (
            <div key={line.label} style={{ display: 'flex', flexDirection: 'column' }}>
              <div style={{ display: 'flex', fontSize: 76 }}>{line.value}</div>
              <div style={{ display: 'flex', fontSize: 26, color: QUIET }}>{line.label}</div>
            </div>
          ))}
        </div>
        <div style={{ display: 'flex', alignItems: 'center', gap: 18, fontSize: 34 }}>
          <svg width="56" height="56" viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="7" fill={INK} />
            <path d="M6 8.5 16 16 6 23.5Z" fill="#5fd0c5" />
            <path d="M26 8.5 16 16l10 7.5Z" fill="#f0a27e" />
          </svg>
          Crossbook
        </div>
      </div>
    </div>
  );
}
