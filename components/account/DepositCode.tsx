'use client';

import dynamic from 'next/dynamic';
import { useId, useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { AmountInput } from '#components/ui/AmountInput.tsx';
import { CopyButton } from '#components/ui/CopyButton.tsx';
import { renderNothing } from '#components/ui/renderNothing.ts';
import { paymentLink } from '#lib/browser/account/paymentLink.ts';
import { groupedHex } from '#lib/format/address.ts';
import { plainDecimal } from '#lib/format/decimalInput.ts';
import { dollarsExact } from '#lib/format/money.ts';
import { tryParseMicros } from '#lib/money.ts';

const QrCode = dynamic(
  () => import('#components/ui/QrCode.tsx').then((module) => module.QrCode, renderNothing),
  {
    ssr: false,
    loading: () => <div className="skeleton size-40" />,
  },
);

/** The deposit address as text and as a QR code, which can include an amount. */
export function DepositCode({ address }: { address: string }) {
  const { site } = useApp();
  const [text, setText] = useState('');
  const id = useId();
  const typed = tryParseMicros(plainDecimal(text));
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
