'use client';

import dynamic from 'next/dynamic';
import { nothingInstead } from '#components/ui/nothingInstead.ts';

const ShareButton = dynamic(
  () => import('#components/ui/ShareButton.tsx').then((m) => m.ShareButton, nothingInstead),
  { ssr: false },
);

/** Passes the page on; its place is kept until the code for it has come. */
export function SharePage({ label }: { label: string }) {
  return (
    <span className="-my-1.5 -mr-2 size-11 md:size-8">
      <ShareButton label={label} />
    </span>
  );
}
