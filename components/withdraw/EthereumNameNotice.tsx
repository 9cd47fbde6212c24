import { Notice } from '#components/ui/Notice.tsx';
import type { ResolvedName } from '#lib/api/schemas/name.ts';

/** A name of another network may belong to a wallet that nobody controls on this one. */
export function EthereumNameNotice({ found }: { found: ResolvedName | undefined }) {
  if (found?.source !== 'ethereum') return null;
  return (
    <Notice tone="caution" title="A name of Ethereum, not of Base">
      {found.name} is recorded for Ethereum. If a smart wallet is behind it, it need not exist here,
      and what is sent could be out of reach. Ask its owner before you send.
    </Notice>
  );
}
