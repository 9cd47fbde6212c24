import dynamic from 'next/dynamic';
import type { SharePageProps } from '#components/share/SharePage.tsx';
import { loadOptionalPart } from '#components/ui/loadPart.ts';

// Only the browser knows what it can share.
const SharePage = dynamic(
  () => loadOptionalPart(() => import('#components/share/SharePage.tsx').then((m) => m.SharePage)),
  { ssr: false },
);

/** Shares the page; its box is reserved while the button loads. */
export function SharePageButton(props: SharePageProps) {
  return (
    <span className="-my-1.5 -mr-2 size-11 md:size-8">
      <SharePage {...props} />
    </span>
  );
}
