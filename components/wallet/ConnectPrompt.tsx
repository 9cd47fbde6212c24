'use client';

import { type ReactNode, useDeferredValue, useEffect } from 'react';
import { buttonStyle } from '#components/ui/Button.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { PendingPage } from '#components/ui/PendingPage.tsx';
import { useStore } from '#lib/browser/storage/store.ts';
import { abandonedRequest } from '#lib/browser/wallet/abandonedRequest.ts';
import { ConnectButton } from './ConnectButton.tsx';
import { useVisitor } from './useSetup.ts';

type ConnectPromptProps = {
  what: string;
  /** In the place of the children while nobody knows yet whether there is a wallet. */
  pending?: ReactNode;
  /** Of the question's title; 1 where the children bring the page's own. */
  level?: 1 | 2;
  children: ReactNode;
};

/** Shows its children once there is a wallet; until then, the one next step. */
export function ConnectPrompt({ what, pending, level, children }: ConnectPromptProps) {
  const { wallet } = useVisitor();
  // What a wallet brings to a page is drawn bit by bit, and the page answers in between.
  const isUnknown = useDeferredValue(wallet.status === 'unknown');
  const isOut = isUnknown || wallet.address === undefined;
  return (
    <>
      <Abandoned />
      {/* The same button all along: in the middle of a press it must not be another's. */}
      {isOut && (
        <div className={isUnknown ? 'remembered:hidden' : undefined}>
          <ConnectFirst what={what} level={level} />
        </div>
      )}
      {isUnknown && <div className="hidden remembered:block">{pending ?? <PendingPage />}</div>}
      {!isOut && children}
    </>
  );
}

/** What became of a question to a wallet that is here no more; what had asked it is gone. */
function Abandoned() {
  const words = useStore(abandonedRequest, undefined);
  useEffect(() => () => abandonedRequest.set(undefined), []);
  if (!words) return null;
  return (
    <div className="mb-4">
      <Notice tone="caution" live>
        {words}
      </Notice>
    </div>
  );
}

function ConnectFirst({ what, level }: { what: string; level: 1 | 2 | undefined }) {
  return (
    <EmptyState
      {...(level && { level })}
      title={`Connect a wallet to see ${what}`}
      action={<ConnectButton className={buttonStyle('primary')}>Connect wallet</ConnectButton>}
    >
      Your wallet is your login. No password needed.
    </EmptyState>
  );
}
