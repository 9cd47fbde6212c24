'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useApp } from '#components/app/useApp.ts';
import { Button } from '#components/ui/Button.tsx';
import { Cents } from '#components/ui/Cents.tsx';
import { Figure, Figures } from '#components/ui/Figures.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { useDropDraft } from '#components/ui/useDraft.ts';
import { AskWalletButton } from '#components/wallet/AskWalletButton.tsx';
import { ConnectPrompt } from '#components/wallet/ConnectPrompt.tsx';
import { limitsDraft } from '#components/wallet/chosenLimits.ts';
import { useSignIn, useSignOut, useVisitor } from '#components/wallet/useSetup.ts';
import { loadWallet } from '#lib/browser/wallet/wallet.ts';
import { parseMicros } from '#lib/money.ts';
import { AccountFailed } from './AccountFailed.tsx';
import { AutoRedeem } from './AutoRedeem.tsx';
import { FullAddress } from './FullAddress.tsx';
import { GrantPanel } from './GrantPanel.tsx';
import { SessionsPanel } from './SessionsPanel.tsx';
import { ThemePanel } from './ThemePanel.tsx';

/** Panels beside each other align at their ends; on a phone they stack in the same order. */
const PANELS = 'grid gap-6 lg:grid-cols-2';

export function AccountView() {
  useDropDraft(limitsDraft);
  const { wallet } = useVisitor();
  return (
    <>
      <ConnectPrompt what="your account">
        <div className={PANELS}>
          <SmartAccountPanel />
          {/* The result of one account's sign-in must not appear to another account. */}
          <WalletPanel key={wallet.address} />
          <GrantPanel />
          <SessionsPanel />
          <AutoRedeem />
          <ThemePanel />
        </div>
      </ConnectPrompt>
      {wallet.address === undefined && (
        <div className={`mt-6 ${PANELS}`}>
          <ThemePanel />
        </div>
      )}
    </>
  );
}

function SmartAccountPanel() {
  const { account, accountFailed } = useVisitor();
  if (accountFailed) return <AccountFailed />;
  if (!account) return <div className="skeleton h-48" role="status" aria-label="Loading" />;
  return (
    <section className="sheet p-5" aria-labelledby="smart-account-heading">
      <h2 id="smart-account-heading" className="font-semibold text-17">
        Smart account
      </h2>
      <p className="mt-1 mb-4 text-14 text-ink-2">
        Holds your USDC and outcome tokens. Only your wallet owns it.
      </p>
      <FullAddress address={account.smartAccountAddress} name="smart account address" />
      <Figures className="mt-3">
        <Figure label="Status">
          {account.deployed ? 'Deployed' : 'Deployed with your first order'}
        </Figure>
        <Figure label="USDC" strong>
          <Cents micros={parseMicros(account.balances.usdc)} />
        </Figure>
      </Figures>
    </section>
  );
}

function WalletPanel() {
  const { site } = useApp();
  const { wallet, session } = useVisitor();
  const signIn = useSignIn();
  const signOut = useSignOut();
  const queryClient = useQueryClient();
  const leave = async () => {
    await signOut.mutateAsync();
    const { engine, disconnectWallet } = await loadWallet(site);
    await disconnectWallet(engine);
    queryClient.clear();
  };
  return (
    <section className="sheet p-5" aria-labelledby="wallet-heading">
      <h2 id="wallet-heading" className="mb-4 font-semibold text-17">
        Wallet
      </h2>
      <FullAddress address={wallet.address ?? ''} name="wallet address" />
      <Figures className="mt-3">
        <Figure label="Connected with">{wallet.walletName ?? 'Wallet'}</Figure>
        <Figure label="Signed in">
          {session ? (
            <>
              until <LocalTime at={new Date(session.expiresAtMs).toISOString()} />
            </>
          ) : (
            'No'
          )}
        </Figure>
      </Figures>
      <div className="mt-4 flex flex-wrap gap-2">
        {session ? (
          <Button onClick={() => signOut.mutate()}>Sign out</Button>
        ) : (
          <AskWalletButton tone="primary" isAsking={signIn.isPending} onAsk={() => signIn.mutate()}>
            Sign in
          </AskWalletButton>
        )}
        <Button onClick={() => void leave()}>Disconnect</Button>
      </div>
      {signIn.isError && (
        <div className="mt-3">
          <Notice tone="problem" live>
            {signIn.error.message}
          </Notice>
        </div>
      )}
    </section>
  );
}
