import { useApp } from '#components/app/useApp.ts';
import { ErrorNotice } from '#components/ui/ErrorNotice.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Section } from '#components/ui/Section.tsx';
import { useIsPasskey } from '#lib/browser/wallet/useOwnerWords.ts';
import { useWallet } from '#lib/browser/wallet/wallet.ts';
import { AddOwner } from './AddOwner.tsx';
import { OwnerList } from './OwnerList.tsx';
import { RecoverAccount } from './RecoverAccount.tsx';
import { useOwners } from './useOwners.ts';

/** Who can sign for an account of a passkey. Owners of a plain wallet can recover one here. */
export function OwnersPanel() {
  const { site } = useApp();
  const { address } = useWallet();
  const isPasskey = useIsPasskey();
  if (!address || !site.relays || !site.contracts.passkeyFactory) return null;
  return isPasskey ? <OwnOwners wallet={address} /> : <RecoverAccount owner={address} />;
}

function OwnOwners({ wallet }: { wallet: string }) {
  const { data: owners, error, isPending } = useOwners(wallet);
  return (
    <Section id="owners-heading" title="Owners" className="sheet p-5" headClassName="">
      <p className="mt-1 mb-4 text-14 text-ink-2">
        Each owner alone can sign for this account.{' '}
        {(owners?.owners.length ?? 0) < 2
          ? 'Add a second one: if you lose the only passkey, nobody can recover the account, Crossbook included.'
          : 'If you lose one, sign in with another and remove the lost one. Crossbook cannot replace any.'}
      </p>
      {isPending && <div className="skeleton h-16" role="status" aria-label="Loading" />}
      <ErrorNotice error={error} />
      {owners && (
        <div className="grid gap-4">
          <OwnerList owners={owners} signer={wallet} />
          {owners.batch.isAccepted ? (
            <AddOwner owners={owners} signer={wallet} />
          ) : (
            <Notice>
              Deposit at least one USDC first. Crossbook pays the network fee of adding an owner
              once the account holds money.
            </Notice>
          )}
        </div>
      )}
    </Section>
  );
}
