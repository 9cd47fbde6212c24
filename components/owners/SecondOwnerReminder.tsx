import { Button } from '#components/ui/Button.tsx';
import { buttonStyle } from '#components/ui/buttonStyle.ts';
import { Notice } from '#components/ui/Notice.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { createBrowserStore, readTexts } from '#lib/browser/storage/browserStore.ts';
import { useStore } from '#lib/browser/storage/store.ts';
import { useIsPasskey } from '#lib/browser/wallet/useOwnerWords.ts';
import { parseMicros } from '#lib/money.ts';
import { useOwners } from './useOwners.ts';

/** Wallets whose owner wants no reminder in this browser. */
const dismissedReminders = createBrowserStore('crossbook.ownerReminders', [], readTexts);
const NONE: string[] = [];

/** Asks for a second owner once a passkey's account holds money and could be lost with it. */
export function SecondOwnerReminder() {
  const { account } = useVisitor();
  const isPasskey = useIsPasskey();
  const holdsMoney = account !== undefined && parseMicros(account.balances.usdc) > 0n;
  if (!isPasskey || !holdsMoney) return null;
  return <Reminder wallet={account.owner} />;
}

function Reminder({ wallet }: { wallet: string }) {
  const dismissed = useStore(dismissedReminders, NONE);
  const { data } = useOwners(wallet);
  if (!data || data.owners.length > 1 || dismissed.includes(wallet)) return null;
  return (
    <div className="mb-6">
      <Notice
        tone="caution"
        title="Only one passkey can open this account"
        action={
          <div className="flex flex-wrap gap-2">
            <PageLink href="/account#owners-heading" className={buttonStyle('primary', 's')}>
              Add a second owner
            </PageLink>
            <Button size="s" onClick={() => dismissedReminders.set([...dismissed, wallet])}>
              Not now
            </Button>
          </div>
        }
      >
        If you lose it, nobody can recover your money. A second passkey or a wallet of yours can.
      </Notice>
    </div>
  );
}
