import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '#components/ui/Button.tsx';
import { useNow } from '#components/ui/clock.ts';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import { FIELD, Field } from '#components/ui/Field.tsx';
import { Figure, Figures } from '#components/ui/Figures.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Section } from '#components/ui/Section.tsx';
import { AskWalletButton } from '#components/wallet/AskWalletButton.tsx';
import { limitsDraft, useChosenLimits } from '#components/wallet/chosenLimits.ts';
import { PermissionChoice } from '#components/wallet/PermissionChoice.tsx';
import { useForeignKey } from '#components/wallet/useForeignKey.ts';
import { useSignGrant, useSignIn, useVisitor } from '#components/wallet/useSetup.ts';
import type { Account, AccountGrant } from '#lib/api/schemas/account.ts';
import { GRANT_DAYS, limitsOf, limitsProblem } from '#lib/browser/account/grantLimits.ts';
import { useIsPasskey, useOwnerWords } from '#lib/browser/wallet/useOwnerWords.ts';
import { dollars, dollarsDown } from '#lib/format/money.ts';
import { parseMicros } from '#lib/money.ts';
import { RevokeGrant } from './RevokeGrant.tsx';

export function GrantPanel() {
  const { account, accountFailed } = useVisitor();
  // The page already reports that the account failed to load.
  if (accountFailed) return null;
  if (!account) return <div className="skeleton h-64" role="status" aria-label="Loading" />;
  return <Permission key={account.owner} account={account} />;
}

function Permission({ account }: { account: Account }) {
  const { session } = useVisitor();
  const { signer } = useOwnerWords();
  const { grant } = account;
  const usable = grant !== null && grant.status !== 'expired';
  // An unfinished choice is restored when the wallet reconnects.
  const [isChoosing, setIsChoosing] = useState(
    () => usable && limitsDraft.of(account.owner) !== undefined,
  );
  const chooseButton = useRef<HTMLButtonElement>(null);
  const leaveForm = () => {
    limitsDraft.drop();
    flushSync(() => setIsChoosing(false));
    chooseButton.current?.focus();
  };
  return (
    <Section id="grant-heading" title="Trading permission" className="sheet p-5" headClassName="">
      <p className="mt-1 mb-4 text-14 text-ink-2">
        {usable
          ? 'Crossbook can trade for you within these limits. Your account contract enforces them.'
          : `Without it, ${signer} must sign every order.`}
      </p>
      {grant?.status === 'expired' && (
        <div className="mb-4">
          <Notice tone="caution" title="Your trading permission has expired">
            It expired on <LocalTime at={grant.validUntil} />. Your funds and positions are not
            affected. Sign a new permission so that Crossbook can place orders and withdrawals for
            you again.
          </Notice>
        </div>
      )}
      {usable && <EndsShortly grant={grant} />}
      {isChoosing && session ? (
        <GrantForm account={account} onDone={leaveForm} />
      ) : (
        <GrantShown
          account={account}
          usable={usable}
          chooseButton={chooseButton}
          onChoose={() => setIsChoosing(true)}
        />
      )}
    </Section>
  );
}

/** How long before its end a permission can be renewed: a renewal always costs a signature. */
const UPCOMING_MS = 3 * 86_400_000;

function EndsShortly({ grant }: { grant: AccountGrant }) {
  const now = useNow(60_000);
  const { signer } = useOwnerWords();
  if (now === undefined || Date.parse(grant.validUntil) - now > UPCOMING_MS) return null;
  return (
    <div className="mb-4">
      <Notice tone="caution" title="Your trading permission expires soon">
        It expires on <LocalTime at={grant.validUntil} />. Renew it, or {signer} must sign every
        order and withdrawal after that.
      </Notice>
    </div>
  );
}

type GrantShownProps = {
  account: Account;
  usable: boolean;
  chooseButton: RefObject<HTMLButtonElement | null>;
  onChoose: () => void;
};

function GrantShown({ account, usable, chooseButton, onChoose }: GrantShownProps) {
  const { session } = useVisitor();
  const { grant } = account;
  return (
    <>
      {grant && usable ? (
        <GrantFigures account={account} grant={grant} />
      ) : session ? (
        <PermissionChoice account={account} />
      ) : null}
      <div className="mt-4 grid gap-3">
        <GrantButton grant={grant} usable={usable} />
        {session && usable && (
          <Button ref={chooseButton} onClick={onChoose}>
            Change limits
          </Button>
        )}
        <RevokeGrant account={account} usable={usable} />
      </div>
    </>
  );
}

const STATUS: Record<AccountGrant['status'], string> = {
  recorded: 'Signed, active with your next order',
  active: 'Active',
  expired: 'Expired',
};

/** Whose key must sign each order, beside Crossbook's. */
function signerOf({ sessionKey, sessionKeys }: AccountGrant, isForeign: boolean): string {
  if (!sessionKey) return 'Crossbook alone';
  const [key = sessionKey, ...others] = sessionKeys ?? [];
  if (sessionKeys?.length === 0) return 'no device';
  if (others.length > 0) {
    return isForeign ? `${others.length + 1} others` : `this device and ${others.length} more`;
  }
  if (key.kind === 'secp256k1') return 'a program';
  return isForeign ? 'another device' : 'this device';
}

function GrantFigures({ account, grant }: { account: Account; grant: AccountGrant }) {
  const isForeign = useForeignKey(account);
  const ownWords = useIsPasskey() ? 'signed by your passkey' : 'to your wallet only';
  const { leftToday } = grant;
  return (
    <Figures>
      <Figure label="Status">{STATUS[grant.status]}</Figure>
      <Figure label="Orders signed by">{signerOf(grant, isForeign)}</Figure>
      <Figure label="Order limit">{dollars(parseMicros(grant.maxPerOrder))}</Figure>
      <Figure label="Daily limit">
        {dollars(parseMicros(grant.maxPerDay))}
        {leftToday && <Left micros={parseMicros(leftToday.order)} />}
      </Figure>
      <Figure label="Withdrawals">{grant.withdrawAnywhere ? 'to any address' : ownWords}</Figure>
      {grant.withdrawAnywhere && (
        <Figure label="Daily withdrawal limit">
          {dollars(parseMicros(grant.maxWithdrawPerDay))}
          {leftToday && <Left micros={parseMicros(leftToday.withdraw)} />}
        </Figure>
      )}
      <Figure label="Expires">
        <LocalTime at={grant.validUntil} format="date" />
      </Figure>
    </Figures>
  );
}

/** Of a daily cap; the contract's days begin at midnight UTC. */
function Left({ micros }: { micros: bigint }) {
  return (
    <span className="block text-13 text-ink-2" title="Limits reset at midnight UTC">
      {dollarsDown(micros)} left today
    </span>
  );
}

function GrantButton({ grant, usable }: { grant: AccountGrant | null; usable: boolean }) {
  const { session } = useVisitor();
  const signIn = useSignIn();
  const signGrant = useSignGrant();
  const isPending = signIn.isPending || signGrant.isPending;
  const error = signIn.error ?? signGrant.error;
  const act = () => {
    // A renewal keeps the current limits, not an unfinished choice; a first grant takes the limits
    // shown.
    if (session) signGrant.mutate(usable ? { limits: limitsOf(grant), keepsProgram: true } : {});
    else signIn.mutate();
  };
  const next = session
    ? grant
      ? 'Renew for 30 days'
      : 'Sign trading permission'
    : 'Sign in first';
  return (
    <>
      <AskWalletButton tone={usable ? 'outline' : 'primary'} isAsking={isPending} onAsk={act}>
        {next}
      </AskWalletButton>
      <ErrorNotice error={error} />
    </>
  );
}

/** Selects the limits of the permission and has the wallet sign exactly them. */
function GrantForm({ account, onDone }: { account: Account; onDone: () => void }) {
  const [limits, change] = useChosenLimits(account);
  const sign = useSignGrant();
  const form = useRef<HTMLFormElement>(null);
  // The button that had the focus has unmounted.
  useEffect(() => form.current?.querySelector<HTMLInputElement>('input[inputmode]')?.focus(), []);
  const isWrong = limitsProblem(limits) !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isWrong) sign.mutate({}, { onSuccess: onDone });
  };
  return (
    <form
      ref={form}
      className="grid gap-4"
      onSubmit={submit}
      aria-label="Trading permission limits"
    >
      <PermissionChoice account={account} showsValues>
        <Field label="Valid for">
          {(id) => (
            <select
              id={id}
              value={limits.validForDays}
              onChange={(event) => change({ validForDays: Number(event.target.value) })}
              className={FIELD}
            >
              {GRANT_DAYS.map((days) => (
                <option key={days} value={days}>
                  {days === 1 ? '1 day' : `${days} days`}
                </option>
              ))}
            </select>
          )}
        </Field>
      </PermissionChoice>
      <ErrorNotice error={sign.error} />
      <div className="grid grid-cols-[auto_1fr] gap-2">
        <Button onClick={onDone} disabled={sign.isPending}>
          Back
        </Button>
        <Button type="submit" tone="primary" disabled={isWrong} isBusy={sign.isPending}>
          Sign limits
        </Button>
      </div>
    </form>
  );
}
