'use client';

import { useApp } from '#components/app/useApp.ts';
import { Button } from '#components/ui/Button.tsx';
import { CopyButton } from '#components/ui/CopyButton.tsx';
import { Figure, Figures } from '#components/ui/Figures.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { ConnectPrompt } from '#components/wallet/ConnectPrompt.tsx';
import { useFaucet, useVisitor } from '#components/wallet/useSetup.ts';
import { groupedHex } from '#lib/format/address.ts';
import { dollarsExact } from '#lib/format/money.ts';
import { parseMicros } from '#lib/money.ts';

/** Where to send USDC, and what has arrived; the balance follows the chain. */
export function DepositView() {
  return (
    <ConnectPrompt what="where to deposit">
      <Deposit />
    </ConnectPrompt>
  );
}

function Deposit() {
  const { site } = useApp();
  const { account, accountFailed } = useVisitor();
  if (accountFailed) {
    return <Notice tone="problem">The account did not load. Try again in a moment.</Notice>;
  }
  if (!account) return <div className="skeleton h-72" role="status" aria-label="Loading" />;
  const address = account.smartAccountAddress;
  return (
    <div className="grid gap-5">
      <section className="sheet p-5" aria-label="Your deposit address">
        <p className="text-[14px] text-ink-2">Send USDC on Base to your smart account:</p>
        <div className="mt-3 flex items-start gap-2">
          <p className="nums flex-1 break-words font-mono text-[15px] leading-7">
            {groupedHex(address)}
          </p>
          <CopyButton text={address} label="Copy deposit address" />
        </div>
      </section>
      <section className="sheet p-5" aria-label="Balance">
        <Figures>
          <Figure label="In your account" strong>
            <span data-testid="deposit-balance">
              {dollarsExact(parseMicros(account.balances.usdc))}
            </span>
          </Figure>
          <Figure label="In your wallet">
            {dollarsExact(parseMicros(account.balances.ownerUsdc))}
          </Figure>
        </Figures>
        <p className="mt-3 text-[13px] text-ink-3">Arrivals show here by themselves.</p>
      </section>
      {site.sandbox ? (
        <Faucet />
      ) : (
        <Notice tone="caution" title="USDC on Base only">
          Other tokens, or USDC sent on another network, do not become trading cash.
        </Notice>
      )}
    </div>
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
      <p className="text-[13px] text-ink-3">
        The sandbox’s faucet sends test USDC to your account and some test ether to your wallet for
        gas.
      </p>
      {faucet.isError && (
        <Notice tone="problem" live>
          {faucet.error.message}
        </Notice>
      )}
    </section>
  );
}
