import { useMutation } from '@tanstack/react-query';
import type { Hex } from 'viem';
import { useApp } from '#components/app/useApp.ts';
import { Button } from '#components/ui/Button.tsx';
import { Dialog } from '#components/ui/Dialog.tsx';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import type { WalletOwners } from '#lib/api/schemas/passkey.ts';
import { sameAddress } from '#lib/format/address.ts';
import { useWalletCalls } from './useOwners.ts';

type AddPasskeyDialogProps = {
  owners: WalletOwners;
  signer: string;
  onClose: () => void;
  onAdded: (words: string) => void;
};

/** The new passkey is made first; then a present owner signs, once, that it may own the account. */
export function AddPasskeyDialog({ owners, signer, onClose, onAdded }: AddPasskeyDialogProps) {
  const { api } = useApp();
  const calls = useWalletCalls(signer, owners);
  const making = useMutation({
    mutationFn: async () => {
      const { createFurtherPasskey } = await import('#lib/browser/wallet/passkey/ceremonies.ts');
      return await createFurtherPasskey({ api }, await firstKeyOf(owners));
    },
  });
  const confirm = (publicKey: Hex) =>
    calls.mutate(
      async () => {
        const { addKeyCall } = await import('#lib/passkey/walletCalls.ts');
        return [addKeyCall(owners.wallet as Hex, publicKey)];
      },
      { onSuccess: () => onAdded('The new passkey is an owner. Sign in with it on its device.') },
    );
  const made = making.data;
  return (
    <Dialog title="Add a passkey" onClose={onClose}>
      <div className="grid gap-4">
        <ol className="grid gap-2 text-14 text-ink-2">
          <li>
            1. Create a passkey somewhere else: with another passkey manager, on a phone of another
            maker or on a security key. Two in one place are lost together.
          </li>
          <li>2. Confirm with {signsWith(owners, signer)} that it may own this account.</li>
        </ol>
        {made === undefined ? (
          <Button tone="primary" onClick={() => making.mutate()} isBusy={making.isPending}>
            Create the passkey
          </Button>
        ) : (
          <Button tone="primary" onClick={() => confirm(made)} isBusy={calls.isPending}>
            Confirm with {signsWith(owners, signer)}
          </Button>
        )}
        {made !== undefined && (
          <p role="status" className="text-13 text-ink-3">
            The passkey was created. It owns nothing until you confirm.
          </p>
        )}
        <ErrorNotice error={making.error ?? calls.error} />
      </div>
    </Dialog>
  );
}

const signsWith = ({ wallet }: WalletOwners, signer: string) =>
  sameAddress(wallet, signer) ? 'your present passkey' : 'your wallet';

/** Only the browser knows the key of a wallet that is not deployed: it is this passkey's. */
async function firstKeyOf({ firstKey }: WalletOwners): Promise<Hex> {
  if (firstKey !== null) return firstKey as Hex;
  const { rememberedPasskey } = await import('#lib/browser/wallet/passkey/rememberedPasskey.ts');
  const passkey = rememberedPasskey();
  if (!passkey) throw new Error('This browser has no passkey connected.');
  return passkey.firstKey;
}
