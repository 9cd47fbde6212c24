import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { Button } from '#components/ui/Button.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import type { WalletOwners } from '#lib/api/schemas/passkey.ts';
import { hasPasskeys } from '#lib/browser/wallet/passkey/hasPasskeys.ts';
import { AddPasskeyDialog } from './AddPasskeyDialog.tsx';
import { AddWalletDialog } from './AddWalletDialog.tsx';

type AddOwnerProps = {
  owners: WalletOwners;
  /** The connected address: the passkey's wallet itself, or one of its owners. */
  signer: string;
};

export function AddOwner(props: AddOwnerProps) {
  const { site } = useApp();
  const [open, setOpen] = useState<'passkey' | 'wallet'>();
  const [added, setAdded] = useState<string>();
  const dialog = {
    ...props,
    onClose: () => setOpen(undefined),
    onAdded: (words: string) => {
      setAdded(words);
      setOpen(undefined);
    },
  };
  return (
    <div className="grid gap-3">
      {added !== undefined && <Notice live>{added}</Notice>}
      <div className="flex flex-wrap gap-2">
        {hasPasskeys(site) && (
          <Button tone="primary" aria-haspopup="dialog" onClick={() => setOpen('passkey')}>
            Add a passkey
          </Button>
        )}
        <Button aria-haspopup="dialog" onClick={() => setOpen('wallet')}>
          Add a wallet
        </Button>
      </div>
      {open === 'passkey' && <AddPasskeyDialog {...dialog} />}
      {open === 'wallet' && <AddWalletDialog {...dialog} />}
    </div>
  );
}
