import { useState } from 'react';
import { buttonStyle } from '#components/ui/buttonStyle.ts';
import { CopyButton } from '#components/ui/CopyButton.tsx';
import { Dialog } from '#components/ui/Dialog.tsx';
import { Segmented } from '#components/ui/Segmented.tsx';
import { EMBED_THEMES, type EmbedTheme, embedCode, embedUrl } from '#lib/share/embedCode.ts';
import { ShareLink } from './ShareLink.tsx';

type ShareMarketDialogProps = { market: { ticker: string; title: string }; onClose: () => void };

const THEME_WORDS: Record<EmbedTheme, string> = {
  auto: 'System',
  light: 'Light',
  dark: 'Dark',
};

export function ShareMarketDialog({ market, onClose }: ShareMarketDialogProps) {
  const [theme, setTheme] = useState<EmbedTheme>('auto');
  const { origin } = window.location;
  const code = embedCode(origin, market, theme);
  return (
    <Dialog title="Share this market" onClose={onClose}>
      <ShareLink url={`${origin}/markets/${market.ticker}`} />
      <section aria-labelledby="embed-heading" className="mt-6 grid gap-3 border-t pt-5">
        <h3 id="embed-heading" className="font-medium text-15">
          Embed it in your site
        </h3>
        <p className="text-14 text-ink-2">
          A card with the live chance and prices. Its links open the market in a new tab.
        </p>
        <Segmented
          legend="Theme of the card"
          value={theme}
          options={EMBED_THEMES.map((value) => ({ value, label: THEME_WORDS[value] }))}
          onChange={setTheme}
          size="s"
        />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <pre tabIndex={0} className="overflow-x-auto rounded-md bg-sunken px-3 py-2.5 text-13">
          <code data-testid="embed-code">{code}</code>
        </pre>
        <div className="flex flex-wrap gap-2">
          <CopyButton text={code} label="Copy code" withWord />
          <a
            href={embedUrl(origin, market.ticker, theme)}
            target="_blank"
            rel="noopener"
            className={buttonStyle('outline', 's')}
          >
            Preview
          </a>
        </div>
      </section>
    </Dialog>
  );
}
