import type { ReactNode } from 'react';
import { useSite } from '#components/app/SiteProvider.tsx';
import { Hex } from '#components/ui/Hex.tsx';

type TransactionLinkProps = { hash: string; isBrief?: boolean };

/** Links to the explorer, or to our own page of the transaction if there is no explorer. */
export function TransactionLink({ hash, isBrief = false }: TransactionLinkProps): ReactNode {
  const site = useSite();
  const href = site.explorerUrl ? `${site.explorerUrl}/tx/${hash}` : `/transactions/${hash}`;
  return (
    <span className="inline-flex items-center gap-2 leading-none">
      <a
        href={href}
        className="tap underline decoration-line-strong underline-offset-4"
        {...(site.explorerUrl ? { target: '_blank', rel: 'noreferrer' } : {})}
      >
        View
      </a>
      {!isBrief && <Hex value={hash} name="transaction hash" />}
    </span>
  );
}
