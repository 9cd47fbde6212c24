import type { ReactElement } from 'react';

export type ShareCardContent = {
  eyebrow: string;
  title: string;
  /** The picture as a data URL. */
  picture?: string | undefined;
  /** The question that the title is an outcome of. */
  detail?: string | undefined;
  lines: {
    label: string;
    value: string;
    tone?: 'yes' | 'no' | undefined;
    color?: string | undefined;
  }[];
  /** The filled share of the bar, from 0 to 1; undefined without a value. */
  filled?: number | undefined;
};

export const SHARE_SIZE = { width: 1200, height: 630 };

const PICTURE_SIZE = 72;

const PAPER = '#fbfaf7';
const INK = '#14181f';
const QUIET = '#5d6370';
const LINE = '#dfddd6';
const TONES = { yes: '#0b6a62', no: '#a3452a' } as const;

const TITLE_LENGTH = 110;
const DETAIL_LENGTH = 110;

export function shareCard(content: ShareCardContent): ReactElement {
  const { eyebrow, title, picture, detail, lines, filled } = content;
  return (
    <div
      style={{
        width: '100%',
        height: '100%',
        display: 'flex',
        flexDirection: 'column',
        justifyContent: 'space-between',
        padding: '64px 72px',
        background: PAPER,
        color: INK,
      }}
    >
      <div style={{ display: 'flex', flexDirection: 'column', gap: 18 }}>
        <ShareHead eyebrow={eyebrow} picture={picture} quiet={QUIET} />
        <div style={{ display: 'flex', fontSize: title.length > 70 ? 52 : 64, lineHeight: 1.12 }}>
          {truncate(title, TITLE_LENGTH)}
        </div>
        {detail !== undefined && (
          <div style={{ display: 'flex', fontSize: 36, color: QUIET }}>
            {truncate(detail, DETAIL_LENGTH)}
          </div>
        )}
      </div>
      <div style={{ display: 'flex', flexDirection: 'column', gap: 36 }}>
        {filled !== undefined && <Ruler filled={filled} />}
        <Lines lines={lines} />
      </div>
    </div>
  );
}

function Ruler({ filled }: { filled: number }) {
  return (
    <div style={{ display: 'flex', height: 10, borderRadius: 5, background: LINE }}>
      <div
        style={{ display: 'flex', width: `${filled * 100}%`, borderRadius: 5, background: INK }}
      />
    </div>
  );
}

function Lines({ lines }: Pick<ShareCardContent, 'lines'>) {
  return (
    <div style={{ display: 'flex', gap: 56 }}>
      {lines.map(({ label, value, tone, color }) => (
        <div key={label} style={{ display: 'flex', flexDirection: 'column' }}>
          {color !== undefined && keepsContrast(color) && (
            <div style={{ width: 56, height: 8, borderRadius: 4, background: color }} />
          )}
          <div style={{ display: 'flex', fontSize: 80, color: tone ? TONES[tone] : INK }}>
            {value}
          </div>
          <div style={{ display: 'flex', fontSize: 27, color: QUIET }}>{label}</div>
        </div>
      ))}
    </div>
  );
}

type ShareHeadProps = Pick<ShareCardContent, 'eyebrow' | 'picture'> & { quiet: string };

/** The picture and the category, and whose card it is. */
export function ShareHead({ eyebrow, picture, quiet }: ShareHeadProps) {
  return (
    <div style={{ display: 'flex', alignItems: 'center', gap: 22, fontSize: 28, color: quiet }}>
      {picture !== undefined && (
        // biome-ignore lint/performance/noImgElement: drawn into an image
        <img
          src={picture}
          alt=""
          width={PICTURE_SIZE}
          height={PICTURE_SIZE}
          style={{ borderRadius: 14, objectFit: 'cover' }}
        />
      )}
      <div style={{ display: 'flex', flexGrow: 1 }}>{eyebrow}</div>
      <svg width="48" height="48" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" fill="#232a35" />
        <path d="M6 8.5 16 16 6 23.5Z" fill="#5fd0c5" />
        <path d="M26 8.5 16 16l10 7.5Z" fill="#f0a27e" />
      </svg>
      Crossbook
    </div>
  );
}

export function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1);
  const lastSpace = cut.lastIndexOf(' ');
  const kept = lastSpace > length / 2 ? cut.slice(0, lastSpace) : cut;
  return `${kept.replace(/[\s,.:;-]+$/, '')}…`;
}

const LEAST_CONTRAST = 3;

/** Whether a mark in this hex colour is visible on the card. */
export function keepsContrast(color: string): boolean {
  return (luminance(PAPER) + 0.05) / (luminance(color) + 0.05) >= LEAST_CONTRAST;
}

/** As WCAG defines it. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
    const part = Number.parseInt(hex.slice(from, from + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
