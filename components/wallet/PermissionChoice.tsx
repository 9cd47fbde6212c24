import { type ReactNode, useState } from 'react';
import { useNow } from '#components/ui/clock.ts';
import { AmountInput, Field, SwitchField } from '#components/ui/Field.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Segmented } from '#components/ui/Segmented.tsx';
import type { Account, AccountGrant } from '#lib/api/schemas/account.ts';
import {
  covers,
  type GrantLimits,
  LIMIT_PRESETS,
  limitMicros,
  limitsProblem,
  presetOf,
  type RequiredLimits,
} from '#lib/browser/account/grantLimits.ts';
import { useIsPasskey, useOwnerWords } from '#lib/browser/wallet/useOwnerWords.ts';
import { dollars, dollarsShort } from '#lib/format/money.ts';
import { parseMicros } from '#lib/money.ts';
import { useChosenLimits } from './chosenLimits.ts';
import { useForeignKey } from './useForeignKey.ts';

const MS_A_DAY = 86_400_000;

/** In the ticket, the text to sign must not be behind the button when it appears or grows. */
function keepInTicket(element: HTMLElement | null) {
  if (!element) return undefined;
  const observer = new ResizeObserver(() => {
    // Elsewhere the page must not scroll unexpectedly.
    if (element.closest('dialog')) element.scrollIntoView({ block: 'nearest' });
  });
  observer.observe(element);
  return () => observer.disconnect();
}

type PermissionChoiceProps = {
  account: Account;
  need?: RequiredLimits | undefined;
  /** Shows the limits as fields from the start, for a visitor who came to change them. */
  showsValues?: boolean;
  /** Its name, if nothing around it has one. */
  label?: string;
  children?: ReactNode;
};

/** The limits of the permission and their choice: the text is exactly what is signed. */
export function PermissionChoice(props: PermissionChoiceProps) {
  const { account, showsValues = false, label } = props;
  const isForeign = useForeignKey(account);
  return (
    <section
      ref={keepInTicket}
      aria-label={label}
      // Two or three lines fit with the sheet's button below.
      className="grid scroll-mb-16 grid-cols-[minmax(0,1fr)] gap-3 rounded-md border border-line bg-sunken p-3 text-14"
    >
      {isForeign && !showsValues && account.grant?.status === 'active' ? (
        <AddDevice grant={account.grant} />
      ) : (
        <Choice {...props} isForeign={isForeign} />
      )}
    </section>
  );
}

/** What adding this device to a permission means: its limits stay as they are. */
function AddDevice({ grant }: { grant: AccountGrant }) {
  const { signer } = useOwnerWords();
  return (
    <>
      <p className="font-medium">Add this device to your trading permission</p>
      <p className="text-ink-2">
        Another device or a program signs the orders of this account. Sign once, and this browser
        signs orders too, within the same limits: up to{' '}
        <b className="nums">{dollars(parseMicros(grant.maxPerOrder))}</b> each and{' '}
        <b className="nums">{dollars(parseMicros(grant.maxPerDay))}</b> a day for all of them
        together. The others go on.
      </p>
      <p className="text-13 text-ink-3">
        Its key never leaves this browser and cannot withdraw. Only {signer} adds and removes
        devices, under Account.
      </p>
    </>
  );
}

function Choice(props: PermissionChoiceProps & { isForeign: boolean }) {
  const { account, need, showsValues = false, isForeign, children } = props;
  const [limits, change] = useChosenLimits(account);
  const problem = limitsProblem(limits);
  const { signer } = useOwnerWords();
  return (
    <>
      {isForeign && account.grant?.status !== 'expired' && (
        <p>
          This permission starts with this device and replaces the present one, of another device or
          a program. Add the other one to it from there.
        </p>
      )}
      <PermissionTerms limits={limits} />
      <OrderLimits limits={limits} onChange={change} showsValues={showsValues} />
      <WithdrawLimit limits={limits} onChange={change} />
      {showsValues && <DeviceSignature limits={limits} onChange={change} />}
      {children}
      {problem && <Notice tone="caution">{problem}</Notice>}
      {!problem && need && (
        <Notice tone={covers(limits, need) ? 'plain' : 'caution'}>
          This order needs an order limit of {dollars(need.perOrderMicros)} and a daily limit of{' '}
          {dollars(need.perDayMicros)}.
        </Notice>
      )}
      {!showsValues && (
        <p className="text-13 text-ink-3">
          Winning contracts are paid out automatically. You can turn that off under Account.
        </p>
      )}
      {!limits.withdrawAnywhere && (
        <p className="text-13 text-ink-3">
          Your account contract enforces these limits. Only {signer} owns the account.
        </p>
      )}
    </>
  );
}

function PermissionTerms({ limits }: { limits: GrantLimits }) {
  const { perOrder, perDay, withdrawPerDay } = limitMicros(limits);
  const now = useNow(60_000);
  const ownOnly = useIsPasskey() ? 'that your passkey signs' : 'only to your own wallet';
  const amount = (micros: bigint | undefined) => (
    <b className="nums">{micros === undefined ? '–' : dollars(micros)}</b>
  );
  return (
    <div>
      <p className="font-medium">You allow Crossbook to</p>
      <ul className="mt-1.5 grid list-disc gap-1 pl-5 text-ink-2 marker:text-ink-3">
        <li>
          place orders {limits.signsOnDevice && 'that this device signs, '}up to {amount(perOrder)}{' '}
          each and {amount(perDay)} a day
        </li>
        <li>
          send withdrawals{' '}
          {limits.withdrawAnywhere ? (
            <>up to {amount(withdrawPerDay)} a day to any address</>
          ) : (
            ownOnly
          )}
        </li>
        <li>
          do so until{' '}
          {now !== undefined && (
            <LocalTime
              at={new Date(now + limits.validForDays * MS_A_DAY).toISOString()}
              format="date"
            />
          )}
        </li>
      </ul>
    </div>
  );
}

type LimitProps = { limits: GrantLimits; onChange: (change: Partial<GrantLimits>) => void };

function OrderLimits({ limits, onChange, showsValues }: LimitProps & { showsValues: boolean }) {
  const preset = presetOf(limits);
  const [isOwn, setIsOwn] = useState(preset === undefined);
  const showsFields = isOwn || showsValues;
  const choose = (value: string) => {
    const next = LIMIT_PRESETS.find(({ maxPerOrder }) => maxPerOrder === value);
    setIsOwn(next === undefined);
    if (next) onChange(next);
  };
  return (
    <div className="grid gap-2">
      {!showsFields && (
        <p aria-hidden className="text-13 text-ink-2">
          Order limit
        </p>
      )}
      <Segmented
        legend="Order limit"
        className="rounded-md border border-line bg-paper p-1"
        size="s"
        value={isOwn ? 'own' : (preset?.maxPerOrder ?? 'own')}
        onChange={choose}
        options={[
          ...LIMIT_PRESETS.map(({ maxPerOrder }) => ({
            value: maxPerOrder,
            label: dollarsShort(parseMicros(maxPerOrder)),
          })),
          { value: 'own', label: 'Other' },
        ]}
      />
      {showsFields && (
        <div className="grid grid-cols-2 items-end gap-2">
          <DollarField
            label="Order limit (USD)"
            value={limits.maxPerOrder}
            onChange={(maxPerOrder) => onChange({ maxPerOrder })}
          />
          <DollarField
            label="Daily limit (USD)"
            value={limits.maxPerDay}
            onChange={(maxPerDay) => onChange({ maxPerDay })}
          />
        </div>
      )}
    </div>
  );
}

function WithdrawLimit({ limits, onChange }: LimitProps) {
  return (
    <div className="grid gap-2">
      <SwitchField
        isOn={limits.withdrawAnywhere}
        onChange={(withdrawAnywhere) =>
          onChange({ withdrawAnywhere, signsOnDevice: !withdrawAnywhere })
        }
      >
        Withdraw to other addresses without a signature
      </SwitchField>
      {limits.withdrawAnywhere && (
        <>
          <DollarField
            label="Daily withdrawal limit (USD)"
            value={limits.maxWithdrawPerDay}
            onChange={(maxWithdrawPerDay) => onChange({ maxWithdrawPerDay })}
          />
          <p className="text-13 text-caution">
            If our keys were stolen, a thief could withdraw up to this amount from your account each
            day, and trade within your limits.
          </p>
        </>
      )}
    </div>
  );
}

function DeviceSignature({ limits, onChange }: LimitProps) {
  return (
    <div className="grid gap-2">
      <SwitchField
        isOn={limits.signsOnDevice}
        onChange={(signsOnDevice) =>
          onChange({ signsOnDevice, ...(signsOnDevice && { withdrawAnywhere: false }) })
        }
      >
        Only place orders that my devices sign
      </SwitchField>
      {limits.signsOnDevice && (
        <p className="text-13 text-ink-2">
          A key that never leaves this browser signs each order without a prompt, so a thief of our
          keys could not trade for you. Add your other devices and programs to it afterwards.
        </p>
      )}
    </div>
  );
}

type DollarFieldProps = { label: string; value: string; onChange: (text: string) => void };

function DollarField({ label, value, onChange }: DollarFieldProps) {
  return (
    <Field label={label}>{(id) => <AmountInput id={id} value={value} onChange={onChange} />}</Field>
  );
}
