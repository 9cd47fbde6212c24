import { useMutation } from '@tanstack/react-query';
import { Fingerprint, Wallet } from 'lucide-react';
import { useState } from 'react';
import type { Hex } from 'viem';
import { useFullClient } from '#components/app/useFullClient.ts';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { RemovableRow } from '#components/ui/RemovableRow.tsx';
import type { WalletOwner, WalletOwners } from '#lib/api/schemas/passkey.ts';
import { endOtherSessions } from '#lib/browser/session/endOtherSessions.ts';
import { useSession } from '#lib/browser/session/session.ts';
import { rememberedPasskey } from '#lib/browser/wallet/passkey/rememberedPasskey.ts';
import { sameAddress, shortHex } from '#lib/format/address.ts';
import { useWalletCalls } from './useOwners.ts';

type OwnerListProps = {
  owners: WalletOwners;
  /** The connected address: the passkey's wallet itself, or one of its owners. */
  signer: string;
};

/** The owners as the chain has them. The one in use here cannot remove itself. */
export function OwnerList({ owners, signer }: OwnerListProps) {
  const [removed, setRemoved] = useState<string>();
  const all = owners.isDeployed ? owners.owners : ownOnly();
  return (
    <div className="grid gap-3">
      <ul className="divide-y border-y" aria-label="Owners">
        {all.map((owner) => (
          <OwnerRow
            key={owner.id}
            owner={owner}
            owners={owners}
            signer={signer}
            isInUse={isInUse(owner, signer)}
            onRemoved={() => setRemoved(nameOf(owner))}
          />
        ))}
      </ul>
      {removed !== undefined && (
        <Notice live>{removed} is no longer an owner. What it signs is refused.</Notice>
      )}
    </div>
  );
}

/** Until the wallet is deployed, its first passkey is the only owner. */
function ownOnly(): WalletOwner[] {
  const passkey = rememberedPasskey();
  if (!passkey) return [];
  const { publicKey, name } = passkey;
  return [
    {
      id: publicKey,
      type: 'passkey',
      address: null,
      publicKey,
      name: name ?? null,
      createdAt: null,
    },
  ];
}

function isInUse({ address, publicKey }: WalletOwner, signer: string): boolean {
  if (address !== null) return sameAddress(address, signer);
  const passkey = rememberedPasskey();
  return sameAddress(passkey?.address, signer) && passkey?.publicKey === publicKey;
}

function nameOf({ type, address, name }: WalletOwner): string {
  if (type === 'wallet') return `Wallet ${shortHex(address ?? '')}`;
  return name ?? 'Passkey';
}

type OwnerRowProps = OwnerListProps & {
  owner: WalletOwner;
  isInUse: boolean;
  onRemoved: () => void;
};

function OwnerRow({ owner, owners, signer, isInUse: inUse, onRemoved }: OwnerRowProps) {
  const removal = useRemoval(owners, signer, onRemoved);
  return (
    <RemovableRow
      Icon={owner.type === 'wallet' ? Wallet : Fingerprint}
      name={nameOf(owner)}
      details={
        <>
          {inUse && 'In use here'}
          {inUse && owner.createdAt !== null && ' · '}
          {owner.createdAt !== null && (
            <>
              created <LocalTime at={owner.createdAt} />
            </>
          )}
          {owner.type === 'wallet' && !inUse && 'Can add and remove owners'}
        </>
      }
      isRemovable={!inUse}
      removal={{
        label: 'Remove owner',
        consequence:
          'It can no longer sign for this account. Your other devices are signed out. The same passkey can be added again later.',
        onConfirm: () => removal.mutate(owner.id as Hex),
        isPending: removal.isPending,
        error: removal.error,
      }}
    />
  );
}

function useRemoval(owners: WalletOwners, signer: string, onRemoved: () => void) {
  const api = useFullClient();
  const session = useSession(owners.wallet);
  const calls = useWalletCalls(signer, owners);
  return useMutation({
    mutationFn: async (id: Hex) => {
      const { removeOwnerCall } = await import('#lib/passkey/walletCalls.ts');
      await calls.mutateAsync(async () => [removeOwnerCall(owners.wallet as Hex, id)]);
      // The row is gone by now, and with it what waits for this.
      onRemoved();
      if (!session) return;
      await endOtherSessions(api);
    },
  });
}
