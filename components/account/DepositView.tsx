'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import dynamic from 'next/dynamic';
import { type FormEvent, useId, useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { WalletMoney } from '#components/owners/WalletMoney.tsx';
import { Button } from '#components/ui/Button.tsx';
import { buttonStyle } from '#components/ui/buttonStyle.ts';
import { CopyButton } from '#components/ui/CopyButton.tsx';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import { AmountInput } from '#components/ui/Field.tsx';
import { Cents, Figure, Figures } from '#components/ui/Figures.tsx';
import { PendingPage } from '#components/ui/LoadStates.tsx';
import { loadOptionalPart } from '#components/ui/loadPart.ts';
import { Notice } from '#components/ui/Notice.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { useDraft, useDropDraft } from '#components/ui/useDraft.ts';
import { ConnectPrompt } from '#components/wallet/ConnectPrompt.tsx';
import { useFaucet, useVisitor } from '#components/wallet/useSetup.ts';
import type { Account } from '#lib/api/schemas/account.ts';
import { DEPOSIT_WORDS, depositAmount } from '#lib/browser/account/depositAmount.ts';
import { paymentLink } from '#lib/browser/account/paymentLink.ts';
import { accountKeys, accountQuery } from '#lib/browser/queries/account.ts';
import { lacksEther } from '#lib/browser/relay/lacksEther.ts';
import { sendFromOwner } from '#lib/browser/relay/sendFromOwner.ts';
import { createDraft, readFields } from '#lib/browser/storage/draft.ts';
import { useIsPasskey } from '#lib/browser/wallet/useOwnerWords.ts';
import { groupedHex } from '#lib/format/address.ts';
import { readAmountMicros } from '#lib/format/amountInput.ts';
import { typedMicros } from '#lib/format/decimalInput.ts';
import { etherShort } from '#lib/format/ether.ts';
import { dollarsExact } from '#lib/format/money.ts';
import { parseMicros } from '#lib/money.ts';
import { AccountFailed } from './AccountFailed.tsx';

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
  const isPasskey = useIsPasskey();
  // What the wallet can send comes first; later arrivals there must not move the page.
  const [hadInWallet] = useState(() => parseMicros(account.balances.ownerUsdc) > 0n);
  return (
    <div className="grid gap-5">
      {!hadInWallet && <DepositCode address={account.smartAccountAddress} />}
      <Balance account={account} />
      {isPasskey ? <WalletMoney account={account} /> : <DepositFromWallet account={account} />}
      {hadInWallet && <DepositCode address={account.smartAccountAddress} />}
      {site.sandbox && <Faucet />}
      <Notice tone="caution" title="USDC on Base only">
        This address exists on Base only. Do not send from another network.
      </Notice>
    </div>
  );
}

function Balance({ account }: { account: Account }) {
  const [since] = useState(() => parseMicros(account.balances.usdc));
  const arrived = useArrivals(account.owner, since);
  const isPasskey = useIsPasskey();
  return (
    <section className="sheet p-5" aria-label="Balance">
      <Figures>
        <Figure label="In your account" strong>
          <span data-testid="deposit-balance">
            <Cents micros={parseMicros(account.balances.usdc)} />
          </span>
        </Figure>
        {!isPasskey && (
          <>
            <Figure label="In your wallet">
              <Cents micros={parseMicros(account.balances.ownerUsdc)} />
            </Figure>
            <Figure label="ETH in your wallet, for network fees">
              {etherShort(account.balances.ownerNative)}
            </Figure>
          </>
        )}
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
  const isPasskey = useIsPasskey();
  return (
    <section className="grid gap-3" aria-label="Faucet">
      <Button tone="primary" size="l" onClick={() => faucet.mutate()} isBusy={faucet.isPending}>
        Get test USDC
      </Button>
      <p className="text-13 text-ink-3">
        {isPasskey
          ? 'The sandbox faucet sends test USDC to your account.'
          : 'The sandbox faucet sends test USDC to your account and test ETH for gas to your wallet.'}
      </p>
      <ErrorNotice error={faucet.error} />
    </section>
  );
}

const QrCode = dynamic(
  () => loadOptionalPart(() => import('#components/ui/QrCode.tsx').then((module) => module.QrCode)),
  {
    ssr: false,
    loading: () => <div className="skeleton size-40" />,
  },
);

function DepositCode({ address }: { address: string }) {
  const { site } = useApp();
  const [text, setText] = useState('');
  const id = useId();
  const typed = readAmountMicros(text);
  const micros = typed !== undefined && typed > 0n ? typed : undefined;
  const asked = micros === undefined ? '' : ` requesting ${dollarsExact(micros)}`;
  return (
    <section
      className="sheet grid gap-5 p-5 sm:grid-cols-[auto_minmax(0,1fr)]"
      aria-label="Your deposit address"
    >
      <QrCode
        text={paymentLink({
          chainId: site.chainId,
          usdc: site.contracts.usdc,
          account: address,
          micros,
        })}
        label={`QR code of the deposit address ${address}${asked}`}
      />
      <div className="grid content-start gap-2">
        <p className="text-14 text-ink-2">
          Send <b className="font-semibold text-ink">USDC on Base</b> to your smart account:
        </p>
        <p className="nums break-words font-mono text-15 leading-7">{groupedHex(address)}</p>
        <p>
          <CopyButton text={address} label="Copy deposit address" withWord />
        </p>
        <details className="text-14">
          <summary className="flex min-h-11 w-fit cursor-pointer items-center text-ink-2 underline underline-offset-4 hover:text-ink">
            Add an amount to the QR code
          </summary>
          <label htmlFor={id} className="mb-1.5 block">
            Amount in USDC
          </label>
          <AmountInput id={id} value={text} onChange={setText} />
          <p role="status" className="mt-2 text-13 text-ink-3">
            {micros === undefined
              ? 'Wallets that support payment requests fill in the amount. Leave it empty if you send from an exchange.'
              : `The QR code requests ${dollarsExact(micros)} USDC. Check that your wallet shows the address above.`}
          </p>
        </details>
      </div>
    </section>
  );
}

/** While a visitor waits for a deposit, the chain is polled often. */
const WAITING_POLL_MS = 2_000;

function useArrivals(owner: string, sinceUsdcMicros: bigint): bigint {
  const { api } = useApp();
  const { data } = useQuery({
    ...accountQuery(api, owner),
    refetchInterval: WAITING_POLL_MS,
  });
  if (!data) return 0n;
  const arrived = parseMicros(data.balances.usdc) - sinceUsdcMicros;
  return arrived > 0n ? arrived : 0n;
}

const depositDraft = createDraft('deposit', (value) => readFields(value, ['text']));

function DepositFromWallet({ account }: { account: Account }) {
  const { site } = useApp();
  const isWithoutEther = lacksEther(account);
  const [{ text }, type] = useDraft(depositDraft, account.owner, { text: '' });
  const setText = (typed: string) => type({ text: typed });
  const id = useId();
  const deposit = useDeposit(account, () => setText(''));
  const availableMicros = parseMicros(account.balances.ownerUsdc);
  const amount = depositAmount(text, availableMicros);
  if (availableMicros === 0n && deposit.isIdle) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if ('micros' in amount && !deposit.isPending) deposit.mutate(amount.micros);
  };
  return (
    <form className="sheet grid gap-4 p-5" onSubmit={submit} aria-label="From your wallet">
      <div>
        <div className="mb-2 flex items-baseline justify-between gap-4 text-14">
          <label htmlFor={id} className="font-medium">
            From your wallet
          </label>
          <span className="nums text-13 text-ink-3">
            <Cents micros={availableMicros} /> USDC available
          </span>
        </div>
        <div className="flex gap-2">
          <AmountInput id={id} value={text} onChange={setText} readOnly={deposit.isPending} />
          <Button
            disabled={deposit.isPending}
            onClick={() => setText(typedMicros(availableMicros))}
          >
            Max
          </Button>
        </div>
      </div>
      <Button
        type="submit"
        size="l"
        tone="primary"
        // A disabled button would lose the focus when it is pressed.
        aria-disabled={'problem' in amount}
        data-testid="deposit-button"
        isBusy={deposit.isPending}
      >
        {deposit.isPending
          ? deposit.isOnChain
            ? 'Waiting for Base'
            : 'Confirm in your wallet'
          : 'problem' in amount
            ? DEPOSIT_WORDS[amount.problem]
            : `Deposit ${dollarsExact(amount.micros)}`}
      </Button>
      <ErrorNotice error={deposit.error} />
      {!site.relays && isWithoutEther && !deposit.isError && (
        <Notice tone="caution" title="No ETH for the network fee">
          Your wallet has no ETH on Base. Add a little ETH first, or send USDC to your deposit
          address from an exchange or another wallet.
        </Notice>
      )}
      <p className="text-13 text-ink-3">
        Moves USDC to your account in one transfer.{' '}
        {site.relays && isWithoutEther
          ? 'You sign it, and Crossbook pays the network fee for deposits from $1.00.'
          : 'Your wallet pays the network fee in ETH.'}
      </p>
    </form>
  );
}

/** Sends it from the wallet, on the right network; the list of arrivals reports the result. */
function useDeposit(account: Account, onSent: () => void) {
  const { api, site } = useApp();
  const queryClient = useQueryClient();
  const [isOnChain, setIsOnChain] = useState(false);
  const mutation = useMutation({
    mutationFn: async (micros: bigint) => {
      setIsOnChain(false);
      const { depositCalls } = await import('#lib/browser/wallet/depositCalls.ts');
      const calls = depositCalls(site.contracts.usdc, account, micros);
      const draft = { type: 'deposit', usdcMicros: micros } as const;
      await sendFromOwner({ api, site }, account, { calls, draft }, ({ waiting }) =>
        setIsOnChain(waiting === 'chain'),
      );
    },
    onSuccess: async () => {
      onSent();
      await queryClient.invalidateQueries({ queryKey: accountKeys.detail(account.owner) });
    },
  });
  return { ...mutation, isOnChain };
}
