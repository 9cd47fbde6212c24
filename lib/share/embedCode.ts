export const EMBED_THEMES = ['auto', 'light', 'dark'] as const;
export type EmbedTheme = (typeof EMBED_THEMES)[number];

/** The address of a market's card, which any page may show in a frame. */
export function embedUrl(origin: string, ticker: string, theme: EmbedTheme): string {
  const query = theme === 'auto' ? '' : `?theme=${theme}`;
  return `${origin}/embed/${encodeURIComponent(ticker)}${query}`;
}

type Embedded = { ticker: string; title: string };

/** The HTML that shows a market's card on another page. */
export function embedCode(origin: string, market: Embedded, theme: EmbedTheme): string {
  const src = embedUrl(origin, market.ticker, theme);
  return (
    `<iframe src="${src}" title="${escapeAttribute(market.title)}" width="400" height="260"` +
    ' style="border:0;border-radius:10px;max-width:100%" loading="lazy"></iframe>'
  );
}

/** The title comes from the exchange and must not end the attribute. */
function escapeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
