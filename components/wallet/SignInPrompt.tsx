import { Activity, type ReactNode, useState } from 'react';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import { useSessionExpired } from '#lib/browser/session/useSessionExpired.ts';
import { useIsPasskey, useOwnerWords } from '#lib/browser/wallet/useOwnerWords.ts';
import { AskWalletButton } from './AskWalletButton.tsx';
import { ConnectPrompt } from './ConnectPrompt.tsx';
import { signInPurpose } from './signInPurpose.ts';
import { useSignIn, useVisitor } from './useSetup.ts';

type SignInPromptProps = {
  what: string;
  /** The heading level of the prompt; 1 if the children contain the page's own heading. */
  level?: 1 | 2;
  children: ReactNode;
};

export function SignInPrompt({ children, ...question }: SignInPromptProps) {
  return (
    <ConnectPrompt {...question}>
      <SignedIn {...question}>{children}</SignedIn>
    </ConnectPrompt>
  );
}

/** When a session ends, hides its content but keeps it, with typed input, for the next session. */
function SignedIn({ children, ...question }: SignInPromptProps) {
  const { wallet, session } = useVisitor();
  const hasExpired = useSessionExpired(wallet.address);
  const owner = wallet.address;
  const [shownTo, setShownTo] = useState<string>();
  if (session && shownTo !== owner) setShownTo(owner);
  const wasShown = shownTo !== undefined && shownTo === owner;
  return (
    <>
      {/* With the children's key, a prompt would outlive its account. */}
      {!session && <SignIn key={`question ${owner}`} {...question} hasExpired={hasExpired} />}
      {wasShown && (
        <Activity key={owner} mode={session ? 'visible' : 'hidden'}>
          {children}
        </Activity>
      )}
    </>
  );
}

type SignInProps = Omit<SignInPromptProps, 'children'> & { hasExpired: boolean };

function SignIn({ what, level = 2, hasExpired }: SignInProps) {
  const signIn = useSignIn();
  const words = useOwnerWords();
  const purpose = signInPurpose(useIsPasskey());
  return (
    <EmptyState
      title={`Sign in to see ${what}`}
      level={level}
      action={
        <AskWalletButton tone="primary" isAsking={signIn.isPending} onAsk={() => signIn.mutate()}>
          {words.signIn}
        </AskWalletButton>
      }
    >
      <p role={hasExpired ? 'status' : undefined}>
        {hasExpired ? 'Your session has expired. Sign in again; nothing is lost.' : purpose}
      </p>
      <ErrorNotice error={signIn.error} className="mt-3 text-left" />
    </EmptyState>
  );
}
