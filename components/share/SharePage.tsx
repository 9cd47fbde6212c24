import { Share2 } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { loadOptionalPart } from '#components/ui/loadPart.ts';
import { ShareButton } from '#components/ui/ShareButton.tsx';
import { SHARE_ICON_BUTTON } from '#components/ui/shareIconButton.ts';

const ShareMarketDialog = dynamic(
  () => loadOptionalPart(() => import('./ShareMarketDialog.tsx').then((m) => m.ShareMarketDialog)),
  { ssr: false },
);

export type SharePageProps = {
  label: string;
  /** The market of the page, which other sites can embed. */
  market?: { ticker: string; title: string };
};

/** Shares the page's address; for a market it opens a menu of ways to share it. */
export function SharePage({ label, market }: SharePageProps) {
  const [isOpen, setIsOpen] = useState(false);
  if (!market) return <ShareButton label={label} />;
  return (
    <>
      <button
        type="button"
        aria-label={label}
        aria-haspopup="dialog"
        title={label}
        onClick={() => setIsOpen(true)}
        className={SHARE_ICON_BUTTON}
      >
        <Share2 aria-hidden className="size-[17px]" />
      </button>
      {isOpen && <ShareMarketDialog market={market} onClose={() => setIsOpen(false)} />}
    </>
  );
}
