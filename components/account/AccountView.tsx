'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useSite } from '#components/app/SiteProvider.tsx';
import { useApp } from '#components/app/useApp.ts';
import { OwnersPanel } from '#components/owners/OwnersPanel.tsx';
import { SecondOwnerReminder } from '#components/owners/SecondOwnerReminder.tsx';
import { WalletMoney } from '#components/owners/WalletMoney.tsx';
import { Button } from '#components/ui/Button.tsx';
import { CopyButton } from '#components/ui/CopyButton.tsx';
import { useHydrated } from '#components/ui/clock.ts';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import { SwitchField } from '#components/ui/Field.tsx';
import { Cents, Figure, Figures } from '#components/ui/Figures.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Section } from '#components/ui/Section.tsx';
import { Segmented } from '#components/ui/Segmented.tsx';
import { useDropDraft } from '#components/ui/useDraft.ts';
import { AskWalletButton } from '#components/wallet/AskWalletButton.tsx';
import { ConnectPrompt } from '#components/wallet/ConnectPrompt.tsx';
import { limitsDraft } from '#components/wallet/chosenLimits.ts';
import { useSignIn, useVisitor } from '#components/wallet/useSetup.ts';
import { useSignOut } from '#components/wallet/useSignOut.ts';
import { settingsQuery } from '#lib/browser/queries/account.ts';
import { chooseTheme, type Theme, useTheme } from '#lib/browser/theme.ts';
import { useIsPasskey } from '#lib/browser/wallet/useOwnerWords.ts';
import { loadWallet } from '#lib/browser/wallet/wallet.ts';
import { groupedHex } from '#lib/format/address.ts';
import { parseMicros } from '#lib/money.ts';
import { AccountFailed } from './AccountFailed.tsx';
import { DevicesPanel } from './DevicesPanel.tsx';
import { GrantPanel } from './GrantPanel.tsx';
import { SessionsPanel } from './SessionsPanel.tsx';

/** Panels beside each other align at their ends; on a phone they stack in the same order. */
const PANELS = 'grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-2';

export function AccountView() {
  useDropDraft(limitsDraft);
  const { wallet } = useVisitor();
  const isPasskey = useIsPasskey();
  return (
    <>
      <ConnectPrompt what="your account">
        <SecondOwnerReminder />
        <MoneyOutside />
        <div className={PANELS}>
          <SmartAccountPanel />
          {/* The result of one account's sign-in must not appear to another account. */}
          <WalletPanel key={wallet.address} />
          {isPasskey && <OwnersPanel />}
          <GrantPanel />
          <DevicesPanel />
          <SessionsPanel />
          <AutoRedeem />
          {/* For a wallet, the rare recovery of an account that it owns besides its own. */}
          {!isPasskey && <OwnersPanel />}
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

function MoneyOutside() {
  const { account } = useVisitor();
  const isPasskey = useIsPasskey();
  if (!account || !isPasskey) return null;
  return <WalletMoney account={account} className="mb-6" />;
}

function SmartAccountPanel() {
  const { account, accountFailed } = useVisitor();
  const isPasskey = useIsPasskey();
  if (accountFailed) return <AccountFailed />;
  if (!account) return <div className="skeleton h-48" role="status" aria-label="Loading" />;
  return (
    <Section
      id="smart-account-heading"
      title="Smart account"
      className="sheet p-5"
      headClassName=""
    >
      <p className="mt-1 mb-4 text-14 text-ink-2">
        Holds your USDC and outcome tokens.{' '}
        {isPasskey ? 'Only its owners control it.' : 'Only your wallet owns it.'}
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
    </Section>
  );
}

function WalletPanel() {
  const { site } = useApp();
  const { wallet, session } = useVisitor();
  const isPasskey = useIsPasskey();
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
    <Section
      id="wallet-heading"
      title={isPasskey ? 'Sign-in' : 'Wallet'}
      className="sheet p-5"
      headClassName="mb-4"
    >
      {!isPasskey && <FullAddress address={wallet.address ?? ''} name="wallet address" />}
      <Figures className="mt-3">
        <Figure label="Connected with">{wallet.walletName ?? 'Wallet'}</Figure>
        <Figure label="Signed in">
          {session ? (
            <>
              until{' '}
              <LocalTime
                at={new Date(session.renewableUntilMs ?? session.expiresAtMs).toISOString()}
              />
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
      <ErrorNotice error={signIn.error} className="mt-3" />
    </Section>
  );
}

function FullAddress({ address, name }: { address: string; name: string }) {
  const { explorerUrl } = useSite();
  return (
    <div className="flex items-start justify-between gap-3 text-14">
      <div className="min-w-0">
        <p className="text-ink-2">Address</p>
        <p className="mt-0.5 break-words font-mono text-13 leading-6">{groupedHex(address)}</p>
        {explorerUrl && (
          <a
            href={`${explorerUrl}/address/${address}`}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-8 items-center gap-1.5 text-13 underline decoration-line-strong underline-offset-4 max-md:min-h-11"
          >
            View on explorer
            <ExternalLink aria-hidden className="size-3.5" />
          </a>
        )}
      </div>
      <CopyButton text={address} label={`Copy ${name}`} withWord="Copy" />
    </div>
  );
}

function AutoRedeem() {
  const { api } = useApp();
  const { session } = useVisitor();
  const queryClient = useQueryClient();
  const query = settingsQuery(api, session?.address ?? '');
  const settings = useQuery({ ...query, enabled: session !== undefined });
  const choose = useMutation({
    mutationFn: (autoRedeem: boolean) => api.putAccountSettings({ autoRedeem }),
    onSuccess: (saved) => queryClient.setQueryData(query.queryKey, saved),
  });
  if (!session) return null;
  return (
    <Section id="settings-heading" title="Payouts" className="sheet p-5">
      <SwitchField
        isOn={(choose.isPending ? choose.variables : settings.data?.autoRedeem) ?? false}
        disabled={!settings.data || choose.isPending}
        onChange={choose.mutate}
      >
        Redeem winnings automatically
      </SwitchField>
      <p className="text-13 text-ink-3">
        On unless you turn it off. When a market resolves, your winning contracts are paid out to
        your smart account without a press or a fee. Changes apply to markets that resolve from now
        on; redeem earlier ones on the Portfolio page.
      </p>
      {(choose.isError || settings.isError) && (
        <div className="mt-3">
          <Notice tone="problem" live>
            {choose.error?.message ??
              'Could not load this setting. Nothing was changed. Reload the page to try again.'}
          </Notice>
        </div>
      )}
    </Section>
  );
}

const THEMES: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

function ThemePanel() {
  const theme = useTheme();
  const hydrated = useHydrated();
  return (
    <Section id="theme-heading" title="Appearance" className="sheet p-5" headClassName="mb-4">
      <Segmented
        legend="Theme"
        value={hydrated ? theme : 'system'}
        options={THEMES}
        onChange={chooseTheme}
      />
    </Section>
  );
}
