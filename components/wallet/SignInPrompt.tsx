'use client';

import { Activity, type ReactNode, useState } from 'react';
import { Button } from '#components/ui/Button.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { ConnectPrompt } from './ConnectPrompt.tsx';
import { useSignIn, useVisitor } from './useSetup.ts';

type SignInPromptProps = { what: string; children: ReactNode };

/** Shows its children to whoever is signed in; until then, the one next step. */
export function SignInPrompt({ what, children }: SignInPromptProps) {
  return (
    <ConnectPrompt what={what}>
      <SignedIn what={what}>{children}</SignedIn>
    </ConnectPrompt>
  );
}

/** A sign-in that ends hides what it showed and keeps it, with what was typed, for the next one. */
function SignedIn({ what, children }: SignInPromptProps) {
  const { wallet, session } = useVisitor();
  const owner = wallet.address;
  const [shownTo, setShownTo] = useState<string>();
  if (session && shownTo !== owner) setShownTo(owner);
  const wasShown = shownTo !== undefined && shownTo === owner;
  return (
    <>
      {!session && <SignIn key={owner} what={what} hasEnded={wasShown} />}
      {wasShown && (
        <Activity key={owner} mode={session ? 'visible' : 'hidden'}>
          {children}
        </Activity>
      )}
    </>
  );
}

function SignIn({ what, hasEnded }: { what: string; hasEnded: boolean }) {
  const signIn = useSignIn();
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
      <p role={hasEnded ? 'status' : undefined}>
        {hasEnded
          ? 'Your sign-in has ended. Sign in again to go on where you were.'
          : 'One signature proves the address is yours. It moves nothing and costs nothing.'}
      </p>
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
