'use client';

import { type ReactNode, useDeferredValue } from 'react';
import { Button } from '#components/ui/Button.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { PendingPage } from '#components/ui/PendingPage.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { openConnectDialog } from './connectDialog.ts';
import { useSignIn, useVisitor } from './useSetup.ts';

type ConnectPromptProps = {
  what: string;
  signedIn?: boolean;
  /** In the place of the children while nobody knows yet whether there is a wallet. */
  pending?: ReactNode;
  children: ReactNode;
};

/** Shows its children once there is a wallet (and a sign-in); until then, the one next step. */
export function ConnectPrompt({ what, signedIn, pending, children }: ConnectPromptProps) {
  const { wallet, session } = useVisitor();
  const signIn = useSignIn();
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
  if (!wallet.address) return <ConnectFirst what={what} />;
  if (signedIn && !session) {
    return (
      <EmptyState
        title={`Sign in to see ${what}`}
        action={
          <Button tone="primary" disabled={signIn.isPending} onClick={() => signIn.mutate()}>
            {signIn.isPending && <Spinner />}
            Sign in with your wallet
          </Button>
        }
      >
        <p>One signature proves the address is yours. It moves nothing and costs nothing.</p>
        {signIn.isError && (
          <div className="mt-3 text-left">
            <Notice tone="problem" live>
              {signIn.error.message}
            </Notice>
          </div>
        )}
      </EmptyState>
    );
  }
  return children;
}

function ConnectFirst({ what }: { what: string }) {
  return (
    <EmptyState
      title={`Connect a wallet to see ${what}`}
      action={
        <Button tone="primary" onClick={openConnectDialog}>
          Connect a wallet
        </Button>
      }
    >
      Your account belongs to your wallet. There is no password.
    </EmptyState>
  );
}
