import { useQuery } from '@tanstack/react-query';
import { BookUser } from 'lucide-react';
import { type RefObject, useId } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { Button } from '#components/ui/Button.tsx';
import { FIELD } from '#components/ui/Field.tsx';
import { Notice } from '#components/ui/Notice.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import type { ResolvedName } from '#lib/api/schemas/name.ts';
import { nameQuery } from '#lib/browser/queries/account.ts';
import { useIsPasskey } from '#lib/browser/wallet/useOwnerWords.ts';
import { entryOf, isAddress } from '#lib/browser/withdraw/addressBook.ts';
import { findLookalikeOf, useAddressBook } from '#lib/browser/withdraw/destinations.ts';
import { isName } from '#lib/browser/withdraw/withdrawState.ts';
import { groupedHex, sameAddress, shortHex } from '#lib/format/address.ts';
import type { WithdrawFormState } from './useWithdrawForm.ts';

export type BookDialogKind = 'book' | 'save';

type DestinationFieldProps = {
  form: WithdrawFormState;
  owner: string;
  inputRef: RefObject<HTMLInputElement | null>;
  onOpen: (dialog: BookDialogKind) => void;
};

export function DestinationField({ form, owner, inputRef, onOpen }: DestinationFieldProps) {
  const { toText, destination } = form;
  const isPasskey = useIsPasskey();
  const id = useId();
  return (
    <div>
      <div className="mb-2 flex items-baseline justify-between text-14">
        <label htmlFor={id} className="font-medium">
          To
        </label>
        {/* What a passkey's own contract holds is outside the account. */}
        {!isPasskey && (
          <button
            type="button"
            className="tap py-1 text-13 text-ink-2 underline underline-offset-4 hover:text-ink"
            onClick={() => form.setToText(owner)}
          >
            My own wallet
          </button>
        )}
      </div>
      <input
        id={id}
        ref={inputRef}
        list={`${id}-known`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="0x… address or ENS name"
        value={toText}
        onChange={(event) => form.setToText(event.target.value)}
        className={`h-12! font-mono text-14 ${FIELD}`}
      />
      <KnownAddresses id={`${id}-known`} owner={owner} />
      <DestinationFound text={toText.trim()} destination={destination} />
      {form.isMistyped && (
        <p role="status" className="mt-2 text-13 text-no">
          This address has a typo: its checksum does not match. Copy it again.
        </p>
      )}
      <LookAlikeNotice destination={destination} owner={owner} />
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="s" aria-haspopup="dialog" onClick={() => onOpen('book')}>
          <BookUser aria-hidden className="size-4" />
          Address book
        </Button>
        {form.canSave && (
          <Button size="s" aria-haspopup="dialog" onClick={() => onOpen('save')}>
            Save this address
          </Button>
        )}
      </div>
    </div>
  );
}

function KnownAddresses({ id, owner }: { id: string; owner: string }) {
  const book = useAddressBook();
  const isPasskey = useIsPasskey();
  return (
    <datalist id={id}>
      {!isPasskey && <option value={owner} label="My own wallet" />}
      {book.map(({ address, name }) => (
        <option key={address} value={address} label={name} />
      ))}
    </datalist>
  );
}

/** The address of a name, or the saved name of an address; announced to screen readers. */
function DestinationFound({ text, destination }: { text: string; destination: string }) {
  const { api } = useApp();
  const found = useQuery({ ...nameQuery(api, text), enabled: isName(text) });
  const saved = entryOf(useAddressBook(), destination);
  return (
    <div role="status" className="grid gap-2 text-13 not-empty:mt-2">
      {isName(text) && found.isPending && (
        <span className="flex items-center gap-2 text-ink-3">
          <Spinner />
          Looking up name…
        </span>
      )}
      {found.data && (
        <span className="wrap-anywhere text-ink-2">
          {found.data.name}
          {saved?.name !== undefined && (
            <>
              , saved as <bdi>{saved.name}</bdi>
            </>
          )}
          <FullAddress address={found.data.address} />
        </span>
      )}
      {!isName(text) && saved?.name !== undefined && (
        <span className="wrap-anywhere text-ink-2">
          <bdi className="font-medium text-ink">{saved.name}</bdi> in your address book
          <FullAddress address={saved.address} />
        </span>
      )}
      <EthereumNameNotice found={isName(text) ? found.data : undefined} />
      {isName(text) && found.isError && <span className="text-no">{found.error.message}</span>}
    </div>
  );
}

function FullAddress({ address }: { address: string }) {
  return <span className="block break-words font-mono">{groupedHex(address)}</span>;
}

/** Warns of an address that begins and ends like a known one, as in address poisoning. */
export function LookAlikeNotice({ destination, owner }: { destination: string; owner: string }) {
  const book = useAddressBook();
  const similar = isAddress(destination) ? findLookalikeOf(destination, owner, book) : undefined;
  if (similar === undefined) return null;
  const known = entryOf(book, similar);
  return (
    <div className="mt-2">
      <Notice tone="problem" title="This address looks like one you know but is different" live>
        It starts and ends like {known?.name !== undefined && <bdi>{known.name}, </bdi>}
        {shortHex(similar)}, {wordsFor(sameAddress(similar, owner), known?.sentAtMs)}. Check every
        character: this is a different address.
      </Notice>
    </div>
  );
}

function wordsFor(isOwner: boolean, sentAtMs: number | undefined): string {
  if (isOwner) return 'your own wallet';
  return sentAtMs === undefined ? 'an address you saved' : 'an address you have sent to before';
}

/** An Ethereum name's wallet may not exist on Base. */
export function EthereumNameNotice({ found }: { found: ResolvedName | undefined }) {
  if (found?.source !== 'ethereum') return null;
  return (
    <Notice tone="caution" title="Ethereum name, not a Base name">
      {found.name} is registered on Ethereum. If it belongs to a smart wallet, that wallet may not
      exist on Base and your funds could be lost. Ask the recipient before you send.
    </Notice>
  );
}
