import { useMutation } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { Button } from '#components/ui/Button.tsx';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import { loadWallet } from '#lib/browser/wallet/wallet.ts';

/** An account without a wallet: its owner is a passkey of this device. */
export function PasskeyChoice({ onConnected }: { onConnected: () => void }) {
  const [isOpen, setIsOpen] = useState(false);
  if (isOpen) return <PasskeyWays onConnected={onConnected} />;
  return (
    <button
      type="button"
      onClick={() => setIsOpen(true)}
      className="mb-2 flex min-h-14 w-full items-center gap-3 rounded-md border border-line px-4 text-left font-medium hover:border-line-strong"
    >
      <Fingerprint aria-hidden className="mx-0.5 size-6 shrink-0" />
      <span className="min-w-0 flex-1">Continue with a passkey</span>
      <span className="font-normal text-13 text-ink-3 max-sm:hidden">No wallet needed</span>
    </button>
  );
}

function PasskeyWays({ onConnected }: { onConnected: () => void }) {
  const { api, site } = useApp();
  const connecting = useMutation({
    mutationFn: async (way: 'create' | 'find') => {
      const { createPasskey, findPasskey } = await import(
        '#lib/browser/wallet/passkey/ceremonies.ts'
      );
      await (way === 'create' ? createPasskey : findPasskey)({ api, site });
      const { engine, connectPasskey } = await loadWallet(site);
      await connectPasskey(engine);
    },
    onSuccess: onConnected,
  });
  const way = (asked: 'create' | 'find') => ({
    isBusy: connecting.isPending && connecting.variables === asked,
    'aria-disabled': connecting.isPending,
    onClick: () => {
      if (!connecting.isPending) connecting.mutate(asked);
    },
  });
  return (
    <section aria-label="Passkey" className="mb-4 grid gap-3 rounded-md border border-line p-4">
      <p className="text-14 text-ink-2">
        A passkey is a key that your device keeps and unlocks with your fingerprint, face or screen
        lock. It owns your account: no extension, no seed phrase, no ether. Your passkey manager,
        such as iCloud Keychain or Google Password Manager, syncs it to your other devices.
      </p>
      <p className="text-14 text-ink-2">
        Crossbook never has the key and cannot replace it. If you delete the passkey everywhere, or
        lose your passkey manager, nobody can withdraw your funds, unless you added a second passkey
        or a wallet as an owner under Account.
      </p>
      <div className="grid gap-2">
        <Button tone="primary" {...way('create')}>
          Create a passkey
        </Button>
        <Button {...way('find')}>Use a passkey I have</Button>
      </div>
      <ErrorNotice error={connecting.error} />
    </section>
  );
}
