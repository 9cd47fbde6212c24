import clsx from 'clsx';
import dynamic from 'next/dynamic';
import { buttonStyle } from '#components/ui/buttonStyle.ts';
import { loadOptionalPart } from '#components/ui/loadPart.ts';
import { PageLink } from '#components/ui/PageLink.tsx';
import { shortHex } from '#lib/format/address.ts';
import { dollarsDown } from '#lib/format/money.ts';
import { parseMicros } from '#lib/money.ts';
import { useConnectDialogOpen } from './ConnectButton.tsx';
import { useVisitor } from './useSetup.ts';

const ConnectDialog = dynamic(
  () => loadOptionalPart(() => import('./ConnectDialog.tsx').then((m) => m.ConnectDialog)),
  { ssr: false },
);

export function WalletButton() {
  const { wallet, account } = useVisitor();
  const dialogOpen = useConnectDialogOpen();
  return (
    <>
      {wallet.address !== undefined && (
        <PageLink href="/account" data-account className={buttonStyle('outline', 's')}>
          <span className="sr-only">Account</span>
          {account && (
            <span className="nums" data-testid="header-cash">
              {dollarsDown(parseMicros(account.balances.usdc))}
            </span>
          )}
          {/* Beside the navigation there is room for it only on wide screens. */}
          <span
            className={clsx(
              'font-mono text-13 text-ink-2',
              account && 'max-sm:hidden lg:max-xl:hidden',
            )}
          >
            {shortHex(wallet.address)}
          </span>
        </PageLink>
      )}
      {dialogOpen && <ConnectDialog />}
    </>
  );
}
