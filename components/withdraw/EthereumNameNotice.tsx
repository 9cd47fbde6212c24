import { Notice } from '#components/ui/Notice.tsx';
import type { ResolvedName } from '#lib/api/schemas/name.ts';

/**
 * On this network, the address of another network's name may belong to a wallet without an owner.
 */
export function EthereumNameNotice({ found }: { found: ResolvedName | undefined }) {
  if (found?.source !== 'ethereum') return null;
  return (
    <Notice tone="caution" title="Ethereum name, not a Base name">
      {found.name} is registered on Ethereum. If it belongs to a smart wallet, that wallet may not
      exist on Base and your funds could be lost. Ask the recipient before you send.
    </Notice>
  );
}
