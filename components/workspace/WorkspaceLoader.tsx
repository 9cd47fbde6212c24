'use client';

import dynamic from 'next/dynamic';
import { useSyncExternalStore } from 'react';
import { renderNothing } from '#components/ui/renderNothing.ts';

const FRAME =
  '-mx-6 -mt-8 h-[calc(100dvh-var(--header-height)-var(--banner-height,0px))] min-h-[40rem] max-[90rem]:hidden';

// The layout is known to the browser alone.
const Workspace = dynamic(() => import('./Workspace.tsx').then((m) => m.Workspace, renderNothing), {
  ssr: false,
});

const WIDE = '(width >= 90rem)';

function followWidth(listener: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** Loads the workspace where it fits; the page explains its absence elsewhere. */
export function WorkspaceLoader({ open }: { open: string | undefined }) {
  const isWide = useSyncExternalStore(
    followWidth,
    () => matchMedia(WIDE).matches,
    () => false,
  );
  return <div className={FRAME}>{isWide && <Workspace open={open} />}</div>;
}
