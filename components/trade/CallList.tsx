import { useEffect, useRef } from 'react';
import { Notice } from '#components/ui/Notice.tsx';
import { presentOwnerWords } from '#lib/browser/wallet/ownerWords.ts';
import type { SendProgress } from '#lib/browser/wallet/sendCalls.ts';
import { shortHex } from '#lib/format/address.ts';
import { dollarsExact } from '#lib/format/money.ts';
import type { SelfSignedOrder } from './selfSignedOrder.ts';

type CallListProps = { order: SelfSignedOrder; progress: SendProgress | undefined };

/**
 * Every call that the wallet is about to sign, decoded into words. Leaving this review, by changing
 * the ticket, closing it or navigating, cancels the order.
 */
export function CallList({ order, progress }: CallListProps) {
  const { words, isRelayed, depositMicros } = order;
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = list.current;
    // Text to read before signing must not start below the edge of the ticket.
    element?.scrollIntoView({ block: 'nearest' });
    const sheet = element?.closest('dialog');
    sheet?.addEventListener('close', order.end);
    return () => {
      sheet?.removeEventListener('close', order.end);
      // React runs effects twice in development; then it is still mounted.
      if (!element?.isConnected) order.end();
    };
  }, [order]);
  return (
    <section ref={list} aria-label="What you sign" className="rounded-md border border-line p-3">
      <h3 className="font-medium text-14">{signedWords(order)}</h3>
      {isRelayed && (
        <p className="mt-1 text-13 text-ink-3">
          {depositMicros > 0n
            ? 'Crossbook sends both in one transaction and pays the network fee. All of it happens, or nothing does.'
            : 'Crossbook sends it and pays the network fee.'}
        </p>
      )}
      {depositMicros > 0n && <Signatures depositMicros={depositMicros} />}
      <ol className="mt-2 grid gap-2">
        {words.map((call, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed and in order
          <li key={index} className="flex gap-2.5 text-14">
            <span aria-hidden className="nums text-ink-3">
              {index + 1}
            </span>
            <span>
              {call.text}
              <span className="block text-13 text-ink-3">
                {call.toName} <span className="font-mono">{shortHex(call.to)}</span>
              </span>
            </span>
          </li>
        ))}
      </ol>
      {words.some((call) => !call.understood) && (
        <div className="mt-2">
          <Notice tone="caution">One of these calls could not be decoded. Do not sign.</Notice>
        </div>
      )}
      {progress && (
        <p role="status" className="mt-3 text-13 text-ink-2">
          {progressName(order, progress)}:{' '}
          {progress.waiting === 'wallet'
            ? presentOwnerWords().confirm.toLowerCase()
            : 'waiting for confirmation'}
        </p>
      )}
    </section>
  );
}

function signedWords({ count, words, isRelayed, depositMicros }: SelfSignedOrder): string {
  if (depositMicros > 0n) return 'You sign two messages';
  const sent = isRelayed
    ? 'one message'
    : count === 1
      ? 'one transaction'
      : `${count} transactions`;
  // The account executes several calls in one.
  const inside = words.length > count ? ` with ${words.length} calls` : '';
  return `You sign ${sent}${inside}`;
}

/** What each signature does, of an order that the wallet pays. */
function Signatures({ depositMicros }: { depositMicros: bigint }) {
  const amount = dollarsExact(depositMicros);
  return (
    <dl className="mt-2 grid gap-2 text-14">
      <div>
        <dt className="font-medium">First, the deposit</dt>
        <dd>
          Let your account take {amount} USDC from your wallet. Alone, this signature moves nothing.
        </dd>
      </div>
      <div>
        <dt className="font-medium">Second, the order</dt>
        <dd>Your account, created now if it is new, takes the {amount} and does this:</dd>
      </div>
    </dl>
  );
}

function progressName({ isRelayed, depositMicros }: SelfSignedOrder, progress: SendProgress) {
  const { sent, total, isAtomic } = progress;
  const position = `${Math.min(sent + 1, total)} of ${total}`;
  if (!isAtomic) return `Transaction ${position}`;
  if (depositMicros > 0n) return sent < total ? `Signature ${position}` : 'One transaction';
  return isRelayed ? 'One message' : 'One transaction';
}
