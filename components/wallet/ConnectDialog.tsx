import { useMutation, useQuery } from '@tanstack/react-query';
import { Wallet } from 'lucide-react';
import { useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { buttonStyle } from '#components/ui/buttonStyle.ts';
import { CopyButton } from '#components/ui/CopyButton.tsx';
import { Dialog } from '#components/ui/Dialog.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { QrCode } from '#components/ui/QrCode.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import type { WalletChoice } from '#lib/browser/wallet/engine.ts';
import { hasPasskeys } from '#lib/browser/wallet/passkey/hasPasskeys.ts';
import { loadWallet } from '#lib/browser/wallet/wallet.ts';
import { closeConnectDialog } from './ConnectButton.tsx';
import { PasskeyChoice } from './PasskeyChoice.tsx';

/** The available wallets. Connecting reveals only the address. */
export function ConnectDialog() {
  const { site } = useApp();
  const choices = useQuery({
    queryKey: ['wallet-choices'],
    queryFn: async () => {
      const { engine, walletChoices } = await loadWallet(site);
      return walletChoices(engine);
    },
    // Extensions announce themselves a moment after the request.
    refetchInterval: 1_000,
  });
  const [link, setLink] = useState<string>();
  const connecting = useMutation({
    mutationFn: async (id: string) => {
      const { engine, connectWallet } = await loadWallet(site);
      await connectWallet(engine, id, setLink);
    },
    onSuccess: closeConnectDialog,
    onSettled: () => setLink(undefined),
  });
  const close = () => {
    closeConnectDialog();
    if (connecting.isPending) void loadWallet(site).then(({ stopConnecting }) => stopConnecting());
  };
  if (link !== undefined) {
    return (
      <Dialog title="Connect a wallet on your phone" onClose={close}>
        <WalletLink link={link} />
      </Dialog>
    );
  }
  return (
    <Dialog title="Connect wallet" onClose={close}>
      {hasPasskeys(site) && <PasskeyChoice onConnected={closeConnectDialog} />}
      <ul className="grid gap-2">
        {choices.data?.map((choice) => (
          <WalletRow
            key={choice.id}
            choice={choice}
            busy={connecting.isPending && connecting.variables === choice.id}
            disabled={connecting.isPending}
            onPick={() => {
              if (!connecting.isPending) connecting.mutate(choice.id);
            }}
          />
        ))}
      </ul>
      {choices.isPending && <div className="skeleton h-14" />}
      {choices.data?.length === 0 && (
        <Notice title="No wallet found in this browser">
          Install a browser wallet such as Rabby, MetaMask or Coinbase Wallet, then come back. It
          appears here automatically.
        </Notice>
      )}
      {/* The two swap in place, so that the wallets stay in position on a phone. */}
      <div className="mt-4 min-h-16">
        {connecting.isError ? (
          <Notice tone="problem" live>
            {connecting.error.message}
          </Notice>
        ) : (
          <p className="text-13 text-ink-3">
            Connecting shares your address only. It does not allow anyone to move your funds.
          </p>
        )}
      </div>
    </Dialog>
  );
}

const KIND_WORDS: Record<WalletChoice['kind'], string> = {
  installed: 'Installed',
  passkey: 'Passkey',
  phone: 'On your phone',
  demo: 'Test money',
};

type WalletRowProps = {
  choice: WalletChoice;
  busy: boolean;
  disabled: boolean;
  onPick: () => void;
};

function WalletRow({ choice, busy, disabled, onPick }: WalletRowProps) {
  return (
    <li>
      <button
        type="button"
        // Not disabled: after a rejected request the wallet would have lost the focus.
        aria-disabled={disabled}
        onClick={onPick}
        className="flex min-h-14 w-full items-center gap-3 rounded-md border border-line px-4 text-left font-medium hover:border-line-strong"
      >
        {choice.icon ? (
          // biome-ignore lint/performance/noImgElement: a data URI given by the wallet
          <img src={choice.icon} alt="" className="size-7 rounded-sm" />
        ) : (
          <Wallet aria-hidden className="size-6" />
        )}
        <span className="min-w-0 flex-1 truncate">{choice.name}</span>
        {busy ? (
          <Spinner />
        ) : (
          <span className="font-normal text-13 text-ink-3">{KIND_WORDS[choice.kind]}</span>
        )}
      </button>
    </li>
  );
}

/** Ways to reach an external wallet: by QR code, on this device, or by copying the link. */
function WalletLink({ link }: { link: string }) {
  return (
    <div className="grid justify-items-center gap-4">
      <QrCode text={link} label="QR code to connect a wallet" className="size-64" />
      <p className="text-center text-14 text-ink-2">
        Scan this code with the wallet on your phone, then confirm there.
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        <a href={link} className={buttonStyle('outline', 's')}>
          Open a wallet on this device
        </a>
        <CopyButton text={link} label="Copy link" withWord />
      </div>
    </div>
  );
}
