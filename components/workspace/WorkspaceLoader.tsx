'use client';

import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';
import { loadOptionalPart } from '#components/ui/loadPart.ts';

const FRAME =
  '-mx-6 -mt-8 h-[calc(100dvh-var(--header-height)-var(--banner-height,0px))] min-h-[40rem] max-[90rem]:hidden';

type WorkspaceProps = { open: string | undefined };

const WIDE = '(width >= 90rem)';

function followWidth(listener: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/**
 * Loads the workspace where it fits; the page explains its absence elsewhere. Not by `dynamic`,
 * whose Suspense would hide the whole workspace, and take the focus, while a part of it loads.
 */
export function WorkspaceLoader({ open }: WorkspaceProps) {
  const isWide = useSyncExternalStore(
    followWidth,
    () => matchMedia(WIDE).matches,
    () => false,
  );
  const [Workspace, setWorkspace] = useState<ComponentType<WorkspaceProps>>();
  useEffect(() => {
    if (!isWide) return;
    void loadOptionalPart(() => import('./Workspace.tsx').then((part) => part.Workspace)).then(
      (part) => setWorkspace(() => part),
    );
  }, [isWide]);
  return <div className={FRAME}>{isWide && Workspace && <Workspace open={open} />}</div>;
}
