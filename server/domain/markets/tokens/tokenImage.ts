import type { OutcomeSide } from '#lib/outcomeToken.ts';

export type TokenPicture = {
  title: string;
  subtitle: string;
  side: OutcomeSide;
  sideLabel: string;
  ticker: string;
  backgroundColor: string;
};

const SIZE = 512;
const MARGIN = 40;
const LINE_CHARACTERS = 26;
const MAX_LINES = 6;
const SIDE_COLORS = { yes: '#12B76A', no: '#F04438' } as const;

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** XML forbids most control characters even when escaped. */
function printable(text: string): string {
  return text.replaceAll(/[^\P{C}\n]/gu, ' ');
}

/** Breaks a text into lines at blanks; overflowing text ends in an ellipsis. */
export function wrapText(text: string, width: number, maxLines: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (joined.length <= width) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word.length > width ? `${word.slice(0, width - 1)}…` : word;
  }
  if (line !== '') lines.push(line);
  if (lines.length <= maxLines) return lines;
  const kept = lines.slice(0, maxLines);
  const last = kept.pop() ?? '';
  return [...kept, `${last.slice(0, width - 1)}…`];
}

/** The picture of an outcome token: its question, its side, its market. */
export function drawTokenImage(picture: TokenPicture): string {
  const background = /^#[0-9A-Fa-f]{6}$/.test(picture.backgroundColor)
    ? picture.backgroundColor
    : '#1F2937';
  const title = wrapText(printable(picture.title), LINE_CHARACTERS, MAX_LINES)
    .map(
      (line, index) =>
        `<tspan x="${MARGIN}" dy="${index === 0 ? 0 : 42}">${escapeXml(line)}</tspan>`,
    )
    .join('');
  const [subtitle = ''] = wrapText(printable(picture.subtitle), 44, 1);
  const label = escapeXml(printable(picture.sideLabel).slice(0, 24));
  const ticker = escapeXml(printable(picture.ticker).slice(0, 48));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}" viewBox="0 0 ${SIZE} ${SIZE}" role="img" aria-label="${label}: ${escapeXml(printable(picture.title))}">`,
    `<rect width="${SIZE}" height="${SIZE}" fill="${background}"/>`,
    `<rect width="${SIZE}" height="${SIZE}" fill="#000" fill-opacity="0.45"/>`,
    `<g font-family="system-ui, sans-serif" fill="#fff">`,
    `<text x="${MARGIN}" y="84" font-size="34" font-weight="600">${title}</text>`,
    `<text x="${MARGIN}" y="364" font-size="20" fill-opacity="0.8">${escapeXml(subtitle)}</text>`,
    `</g>`,
    `<rect x="${MARGIN}" y="392" width="${SIZE - 2 * MARGIN}" height="56" rx="12" fill="${SIDE_COLORS[picture.side]}"/>`,
    `<text x="${SIZE / 2}" y="429" font-family="system-ui, sans-serif" font-size="26" font-weight="700" fill="#fff" text-anchor="middle">${label}</text>`,
    `<text x="${MARGIN}" y="484" font-family="ui-monospace, monospace" font-size="15" fill="#fff" fill-opacity="0.7">${ticker}</text>`,
    `</svg>`,
  ].join('');
}
