import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type RefObject, useRef } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { Button } from '#components/ui/Button.tsx';
import { useSecondsLeft } from '#components/ui/clock.ts';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import { Figure, Figures } from '#components/ui/Figures.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import type { Account } from '#lib/api/schemas/account.ts';
import type { WithdrawRequestInput } from '#lib/api/schemas/withdraw.ts';
import { explainUnknownOutcome, isUnknownOutcome } from '#lib/browser/api/unknownOutcome.ts';
import { nameQuery } from '#lib/browser/queries/account.ts';
import { useIsPasskey, useOwnerWords } from '#lib/browser/wallet/useOwnerWords.ts';
import { entryOf, wasSentTo } from '#lib/browser/withdraw/addressBook.ts';
import { rememberDestination, useAddressBook } from '#lib/browser/withdraw/destinations.ts';
import {
  amountWords,
  valueWords,
  type WithdrawAsset,
} from '#lib/browser/withdraw/withdrawState.ts';
import { groupedHex, sameAddress } from '#lib/format/address.ts';
import { formatMicros } from '#lib/money.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import { EthereumNameNotice } from './DestinationField.tsx';

/** The minimum time to compare an address that was never used. */
const COMPARE_SECONDS = 3;

type WithdrawReviewProps = {
  ref: RefObject<HTMLElement | null>;
  withdrawal: Withdrawal;
  /** The domain name entered instead of the address. */
  name: string | undefined;
  account: Account;
  onBack: () => void;
};

export function WithdrawReview({ ref, withdrawal, name, account, onBack }: WithdrawReviewProps) {
  const { api } = useApp();
  const withdraw = useWithdraw(account);
  const isPasskey = useIsPasskey();
  const words = useOwnerWords();
  const found = useQuery({ ...nameQuery(api, name ?? ''), enabled: name !== undefined });
  const { asset, amountMicros, destination } = withdrawal;
  const ownWallet = sameAddress(destination, account.owner);
  const isSigned = needsSignature(account, destination);
  const book = useAddressBook();
  const isKnown = wasSentTo(book, destination);
  const savedName = entryOf(book, destination)?.name;
  const secondsLeft = useSecondsLeft(isKnown || ownWallet ? 0 : COMPARE_SECONDS);
  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label="Review"
      className="sheet grid scroll-mt-24 gap-5 p-5 outline-none"
    >
      {asset.kind === 'outcome' && (
        <div className="text-14">
          <p className="wrap-anywhere font-semibold text-17">{asset.name.outcome}</p>
          {asset.name.question && <p className="text-ink-2">{asset.name.question}</p>}
        </div>
      )}
      <Figures>
        <Figure label="You withdraw" strong>
          {amountWords(asset, amountMicros)}
        </Figure>
        {asset.kind === 'outcome' && (
          <Figure label="Value now">{valueWords(asset, amountMicros)}</Figure>
        )}
        <Figure label="Remaining">
          {amountWords(asset, asset.availableMicros - amountMicros)}
        </Figure>
        <Figure label="Network fee">None (paid by Crossbook)</Figure>
      </Figures>
      <div>
        <p className="wrap-anywhere text-14 text-ink-2">
          To <Whose ownWallet={ownWallet} savedName={savedName} name={name} />
          {!ownWallet && ', on Base'}
        </p>
        <p className="mt-1 break-words font-mono text-15 leading-7">{groupedHex(destination)}</p>
      </div>
      <EthereumNameNotice found={name === undefined ? undefined : found.data} />
      {!ownWallet && (
        <Notice tone="caution">
          {isKnown
            ? 'You have sent to this address before.'
            : 'You have not sent to this address recently.'}{' '}
          Compare every group. Withdrawals cannot be reversed.
        </Notice>
      )}
      {isSigned && (
        <Notice title={isPasskey ? words.confirm : 'Sign this withdrawal in your wallet'}>
          Check the amount and the address{' '}
          {isPasskey ? 'here: its prompt shows neither' : 'in your wallet'}. The signature covers
          only this withdrawal and expires in one hour.
        </Notice>
      )}
      <ErrorNotice error={withdraw.error} />
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-2">
        <Button size="l" onClick={onBack} disabled={withdraw.isPending}>
          Back
        </Button>
        <Button
          size="l"
          tone="primary"
          disabled={withdraw.isPending || secondsLeft > 0}
          onClick={() => withdraw.mutate(withdrawal)}
        >
          {withdraw.isPending && <Spinner />}
          {secondsLeft > 0
            ? `Compare address (${secondsLeft}\u00a0s)`
            : isSigned && withdraw.isPending
              ? words.confirm
              : `Withdraw ${amountWords(asset, amountMicros)}`}
        </Button>
      </div>
    </section>
  );
}

type WhoseProps = { ownWallet: boolean; savedName: string | undefined; name: string | undefined };

/** The name of the address, if any; the address itself is always below. */
function Whose({ ownWallet, savedName, name }: WhoseProps) {
  const otherwise = ownWallet ? 'your own wallet' : name;
  if (savedName === undefined) return otherwise ?? 'this address';
  return (
    <>
      <bdi className="font-medium text-ink">{savedName}</bdi> in your address book
      {otherwise !== undefined && ` (${otherwise})`}
    </>
  );
}

export type Withdrawal = { asset: WithdrawAsset; amountMicros: bigint; destination: string };

/** For any destination but the owner's, and for accounts without a permission. */
function needsSignature(account: Account, destination: string): boolean {
  const { grant, owner } = account;
  const isPermitted = grant !== null && grant.status !== 'expired';
  return !isPermitted || !sameAddress(destination, owner);
}

/** Sends a withdrawal once; an attempt with an unknown outcome is repeated unchanged. */
function useWithdraw(account: Account) {
  const { api, site } = useApp();
  const router = useRouter();
  const attempt = useRef<{ key: string; request: WithdrawRequestInput }>(undefined);
  return useMutation({
    mutationFn: async (withdrawal: Withdrawal) => {
      const { asset, amountMicros, destination } = withdrawal;
      const token = asset.kind === 'usdc' ? asset.kind : asset.tokenId;
      const key = `${token} ${amountMicros} ${destination}`;
      if (attempt.current?.key !== key) {
        const request = requestOf(site, withdrawal);
        const signed = needsSignature(account, destination)
          ? await import('./signWithdrawal.ts').then(({ signWithdrawal }) =>
              signWithdrawal(site, account, withdrawal, request.clientId),
            )
          : {};
        attempt.current = { key, request: { ...request, ...signed } };
      }
      try {
        const { intent } = await api.withdraw(attempt.current.request);
        attempt.current = undefined;
        rememberDestination(destination);
        router.push(`/orders/${intent.id}`);
      } catch (problem) {
        if (!isUnknownOutcome(problem)) attempt.current = undefined;
        throw explainUnknownOutcome(problem, 'your withdrawal');
      }
    },
  });
}

function requestOf({ contracts }: SiteConfig, withdrawal: Withdrawal) {
  const { asset, amountMicros, destination } = withdrawal;
  const token =
    asset.kind === 'usdc'
      ? ({ tokenType: 'erc20', tokenAddress: contracts.usdc } as const)
      : ({
          tokenType: 'erc1155',
          tokenAddress: contracts.outcomeToken,
          tokenId: asset.tokenId,
        } as const);
  return {
    intentType: 'Withdraw' as const,
    destinationAddress: destination,
    amount: formatMicros(amountMicros),
    clientId: crypto.randomUUID(),
    ...token,
  };
}
