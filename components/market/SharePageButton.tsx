import dynamic from 'next/dynamic';
import { renderNothing } from '#components/ui/renderNothing.ts';

// Only the browser knows what it can share.
const ShareButton = dynamic(
  () => import('#components/ui/ShareButton.tsx').then((m) => m.ShareButton, renderNothing),
  { ssr: false },
);

/** Shares the page; its box is reserved while the button loads. */
export function SharePageButton({ label }: { label: string }) {
  return (
    <span className="-my-1.5 -mr-2 size-11 md:size-8">
      <ShareButton label={label} />
    </span>
  );
}
