import { buttonStyle } from '#components/ui/Button.tsx';
import { CopyButton } from '#components/ui/CopyButton.tsx';
import { QrCode } from '#components/ui/QrCode.tsx';

/** Ways to reach an external wallet: by QR code, on this device, or by copying the link. */
export function WalletLink({ link }: { link: string }) {
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
