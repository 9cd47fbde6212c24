import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Hex } from 'viem';
import { useApp } from '#components/app/useApp.ts';
import { Button } from '#components/ui/Button.tsx';
import { Dialog } from '#components/ui/Dialog.tsx';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import type { WalletOwners } from '#lib/api/schemas/passkey.ts';
import { loadWallet } from '#lib/browser/wallet/wallet.ts';
import { isAddress } from '#lib/browser/withdraw/addressBook.ts';
import { shortHex } from '#lib/format/address.ts';
import { AddressField } from './AddressField.tsx';
import { useWalletCalls } from './useOwners.ts';

type AddWalletDialogProps = {
  owners: WalletOwners;
  signer: string;
  onClose: () => void;
  onAdded: (words: string) => void;
};

/** A wallet of this browser fills in its own address; any other is typed. */
export function AddWalletDialog({ owners, signer, onClose, onAdded }: AddWalletDialogProps) {
  const calls = useWalletCalls(signer, owners);
  const [text, setText] = useState('');
  const address = text.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (calls.isPending || !isAddress(address)) return;
    calls.mutate(
      async () => {
        const { addAddressCall } = await import('#lib/passkey/walletCalls.ts');
        return [addAddressCall(owners.wallet as Hex, address as Hex)];
      },
      {
        onSuccess: () =>
          onAdded(
            `Wallet ${shortHex(address)} is an owner. Note the address of this account: the ` +
              'wallet needs it to recover the account on this page.',
          ),
      },
    );
  };
  return (
    <Dialog title="Add a wallet" onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <p className="text-14 text-ink-2">
          A wallet that owns the account can add a new passkey when you lose yours. Its holder can
          also take everything, so add only a wallet of your own whose key you keep.
        </p>
        <WalletsHere onChosen={setText} />
        <AddressField label="Address of the wallet on Base" value={text} onChange={setText} />
        <Notice tone="caution">
          Check every character. An exchange’s deposit address is not a wallet of yours.
        </Notice>
        <Button
          tone="primary"
          type="submit"
          disabled={!isAddress(address)}
          isBusy={calls.isPending}
        >
          Add this wallet
        </Button>
        <ErrorNotice error={calls.error} />
      </form>
    </Dialog>
  );
}

/** Asks a wallet for its address alone; the passkey stays connected. */
function WalletsHere({ onChosen }: { onChosen: (address: string) => void }) {
  const { site } = useApp();
  const choices = useQuery({
    queryKey: ['wallet-choices', 'here'],
    queryFn: async () => {
      const { engine, walletChoices } = await loadWallet(site);
      return walletChoices(engine).filter(({ kind }) => kind === 'installed' || kind === 'demo');
    },
  });
  const asking = useMutation({
    mutationFn: async (id: string) => {
      const { engine, addressOfWallet } = await loadWallet(site);
      return await addressOfWallet(engine, id);
    },
    onSuccess: onChosen,
  });
  if (!choices.data?.length) return null;
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        {choices.data.map(({ id, name }) => (
          <Button key={id} size="s" onClick={() => asking.mutate(id)}>
            Use {name}
          </Button>
        ))}
      </div>
      <ErrorNotice error={asking.error} />
    </div>
  );
}
