'use client';

import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { Button, buttonStyle } from '#components/ui/Button.tsx';
import { Cents } from '#components/ui/Cents.tsx';
import { Figure, Figures } from '#components/ui/Figures.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { PendingPage } from '#components/ui/PendingPage.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { useDropDraft } from '#components/ui/useDraft.ts';
import { ConnectPrompt } from '#components/wallet/ConnectPrompt.tsx';
import { useFaucet, useVisitor } from '#components/wallet/useSetup.ts';
import type { Account } from '#lib/api/schemas/account.ts';
import { dollarsExact } from '#lib/format/money.ts';
import { parseMicros } from '#lib/money.ts';
import { AccountFailed } from './AccountFailed.tsx';
import { DepositCode } from './DepositCode.tsx';
import { DepositFromWallet, depositDraft } from './DepositFromWallet.tsx';
import { useArrivals } from './useArrivals.ts';

/** Where to send USDC, and which deposits have arrived; the balance follows the chain. */
export function DepositView() {
  useDropDraft(depositDraft);
  return (
    <ConnectPrompt what="your deposit address">
      <Deposit />
    </ConnectPrompt>
  );
}

function Deposit() {
  const { account, accountFailed } = useVisitor();
  if (accountFailed) return <AccountFailed />;
  if (!account) return <PendingPage />;
  return <DepositTo account={account} key={account.owner} />;
}

function DepositTo({ account }: { account: Account }) {
  const { site } = useApp();
  return (
    <div className="grid gap-5">
      <DepositCode address={account.smartAccountAddress} />
      <Balance account={account} />
      <DepositFromWallet account={account} />
      {site.sandbox && <Faucet />}
      <Notice tone="caution" title="USDC on Base only">
        Only USDC on Base counts as cash. Other tokens, or USDC on another network, are not lost:
        your wallet owns the account and can move them out.
      </Notice>
    </div>
  );
}

function Balance({ account }: { account: Account }) {
  const [since] = useState(() => parseMicros(account.balances.usdc));
  const arrived = useArrivals(account.owner, since);
  return (
    <section className="sheet p-5" aria-label="Balance">
      <Figures>
        <Figure label="In your account" strong>
          <span data-testid="deposit-balance">
            <Cents micros={parseMicros(account.balances.usdc)} />
          </span>
        </Figure>
        <Figure label="In your wallet">
          <Cents micros={parseMicros(account.balances.ownerUsdc)} />
        </Figure>
      </Figures>
      <div role="status" className="mt-4 border-t pt-4 text-14">
        {arrived === 0n ? (
          <p className="flex items-center gap-2.5 text-ink-2">
            <Spinner />
            Waiting for your deposit…
          </p>
        ) : (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="flex items-center gap-2.5 font-medium">
              <CircleCheck aria-hidden className="size-5 text-yes" />
              <span className="nums">{dollarsExact(arrived)} received</span>
            </p>
            <PageLink href="/" className={buttonStyle('primary', 's')}>
              Find a market
            </PageLink>
          </div>
        )}
      </div>
    </section>
  );
}

function Faucet() {
  const faucet = useFaucet();
  return (
    <section className="grid gap-3" aria-label="Faucet">
      <Button tone="primary" size="l" disabled={faucet.isPending} onClick={() => faucet.mutate()}>
        {faucet.isPending && <Spinner />}
        Get test USDC
      </Button>
      <p className="text-13 text-ink-3">
        The sandbox faucet sends test USDC to your account and test ETH for gas to your wallet.
      </p>
      {faucet.isError && (
        <Notice tone="problem" live>
          {faucet.error.message}
        </Notice>
      )}
    </section>
  );
}
