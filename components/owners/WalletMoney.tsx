import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { type FormEvent, useState } from 'react';
import type { Hex } from 'viem';
import { useApp } from '#components/app/useApp.ts';
import { Button } from '#components/ui/Button.tsx';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Section } from '#components/ui/Section.tsx';
import type { Account } from '#lib/api/schemas/account.ts';
import type { PortfolioEntry } from '#lib/api/schemas/portfolio.ts';
import { portfolioQuery } from '#lib/browser/queries/account.ts';
import { isAddress } from '#lib/browser/withdraw/addressBook.ts';
import { sameAddress, shortHex } from '#lib/format/address.ts';
import { contractsRounded, dollarsExact } from '#lib/format/money.ts';
import { parseMicros } from '#lib/money.ts';
import { AddressField } from './AddressField.tsx';
import { useWalletCalls } from './useOwners.ts';

/** The most calls of one signed message. */
const MOST_CALLS = 16;

type WalletMoneyProps = { account: Account; className?: string };

/** What was sent to the passkey's own wallet contract instead of the account. */
export function WalletMoney({ account, className }: WalletMoneyProps) {
  const { api, site } = useApp();
  const { owner: wallet, smartAccountAddress } = account;
  const portfolio = useQuery(portfolioQuery(api, wallet));
  const moving = useWalletCalls(wallet, { wallet });
  const [moved, setMoved] = useState<string>();
  const usdcMicros = parseMicros(account.balances.ownerUsdc);
  const tokens = (portfolio.data ?? [])
    .filter(({ portfolioItem }) => sameAddress(portfolioItem.address, wallet))
    .slice(0, MOST_CALLS - 1);
  const isEmpty = usdcMicros === 0n && tokens.length === 0;
  if (isEmpty && moved === undefined && !moving.isError) return null;
  const move = (to: string, words: string) =>
    moving.mutate(
      async () => {
        const { payUsdcCall, sendTokensCall } = await import('#lib/passkey/walletCalls.ts');
        const { usdc, outcomeToken } = site.contracts;
        const from = { outcomeToken, wallet: wallet as Hex };
        const sent = tokens.map((entry) => sendTokensCall(from, to as Hex, amountOf(entry)));
        return usdcMicros === 0n ? sent : [payUsdcCall(usdc, to as Hex, usdcMicros), ...sent];
      },
      { onSuccess: () => setMoved(words) },
    );
  return (
    <Section
      id="outside-heading"
      title="Money outside your account"
      className={clsx('sheet p-5', className)}
      headClassName=""
    >
      {moved !== undefined && isEmpty ? (
        <Notice live>{moved}</Notice>
      ) : (
        <>
          <p className="mt-1 mb-3 text-14 text-ink-2">
            This was sent to the contract of your passkey instead of your account, and cannot be
            traded there. It is yours: move it with one signature. Crossbook pays the network fee.
          </p>
          <ul className="mb-4 divide-y border-y text-14" aria-label="Outside your account">
            {usdcMicros > 0n && <li className="py-2.5">{dollarsExact(usdcMicros)} USDC</li>}
            {tokens.map((entry) => (
              <li key={entry.portfolioItem.id} className="py-2.5">
                {wordsOf(entry)}
              </li>
            ))}
          </ul>
          <div className="grid gap-3">
            <Button
              tone="primary"
              isBusy={moving.isPending}
              onClick={() => move(smartAccountAddress, 'Moved to your account.')}
            >
              Move to your account
            </Button>
            <SendElsewhere
              isBusy={moving.isPending}
              onSend={(to) => move(to, `Sent to ${shortHex(to)}.`)}
            />
            <ErrorNotice error={moving.error} />
          </div>
        </>
      )}
    </Section>
  );
}

const amountOf = ({ portfolioItem: { tokenId, amount } }: PortfolioEntry) => ({
  tokenId: BigInt(tokenId),
  contractMicros: parseMicros(amount),
});

function wordsOf({ portfolioItem, venueMarket: { name, subtitle, side } }: PortfolioEntry): string {
  const amount = contractsRounded(parseMicros(portfolioItem.amount));
  return `${amount} ${side === 'yes' ? 'Yes' : 'No'}: ${[name, subtitle].filter(Boolean).join(', ')}`;
}

type SendElsewhereProps = { isBusy: boolean; onSend: (to: string) => void };

function SendElsewhere({ isBusy, onSend }: SendElsewhereProps) {
  const [text, setText] = useState('');
  const to = text.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isAddress(to) && !isBusy) onSend(to);
  };
  return (
    <details>
      <summary className="tap cursor-pointer py-2 text-13 text-ink-2 underline underline-offset-4">
        Send it to another address
      </summary>
      <form className="mt-2 flex flex-wrap items-end gap-2" onSubmit={submit}>
        <div className="min-w-60 flex-1">
          <AddressField label="Address on Base" value={text} onChange={setText} />
        </div>
        <Button type="submit" disabled={!isAddress(to)}>
          Send everything
        </Button>
      </form>
    </details>
  );
}
