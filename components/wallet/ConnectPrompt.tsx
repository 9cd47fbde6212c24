'use client';

import { type ReactNode, useDeferredValue, useEffect } from 'react';
import { Button } from '#components/ui/Button.tsx';
import { useHydrated } from '#components/ui/clock.ts';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { PendingPage } from '#components/ui/PendingPage.tsx';
import { useStore } from '#lib/store.ts';
import { abandoned } from '#lib/wallet/abandoned.ts';
import { openConnectDialog } from './connectDialog.ts';
import { useVisitor } from './useSetup.ts';

type ConnectPromptProps = {
  what: string;
  /** In the place of the children while nobody knows yet whether there is a wallet. */
  pending?: ReactNode;
  children: ReactNode;
};

/** Shows its children once there is a wallet; until then, the one next step. */
export function ConnectPrompt({ what, pending, children }: ConnectPromptProps) {
  const { wallet } = useVisitor();
  // What a wallet brings to a page is drawn bit by bit, and the page answers in between.
  const isUnknown = useDeferredValue(wallet.status === 'unknown');
  if (isUnknown) {
    return (
      <>
        <div className="remembered:hidden">
          <ConnectFirst what={what} />
        </div>
        <div className="hidden remembered:block">{pending ?? <PendingPage />}</div>
      </>
    );
  }
  return (
    <>
      <Abandoned />
      {wallet.address ? children : <ConnectFirst what={what} />}
    </>
  );
}

/** What became of a question to a wallet that is here no more; what had asked it is gone. */
function Abandoned() {
  const words = useStore(abandoned, undefined);
  useEffect(() => () => abandoned.set(undefined), []);
  if (!words) return null;
  return (
    <div className="mb-4">
      <Notice tone="caution" live>
        {words}
      </Notice>
    </div>
  );
}

function ConnectFirst({ what }: { what: string }) {
  // A press that comes before the scripts would be lost without a word.
  const hydrated = useHydrated();
  return (
    <EmptyState
      title={`Connect a wallet to see ${what}`}
      action={
        <Button tone="primary" disabled={!hydrated} onClick={openConnectDialog}>
          Connect a wallet
        </Button>
      }
    >
      Your account belongs to your wallet. There is no password.
    </EmptyState>
  );
}
