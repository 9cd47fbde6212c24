import { type LucideIcon, Pencil, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '#components/ui/Button.tsx';
import { Dialog } from '#components/ui/Dialog.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import {
  type BookEntry,
  type Forgotten,
  recentIn,
  savedIn,
  withRestored,
} from '#lib/browser/withdraw/addressBook.ts';
import {
  forgetAddress,
  restoreAddress,
  useAddressBook,
} from '#lib/browser/withdraw/destinations.ts';
import { sameAddress, shortHex } from '#lib/format/address.ts';
import { NameForm } from './SaveAddressDialog.tsx';

type AddressBookDialogProps = {
  owner: string;
  onChoose: (address: string) => void;
  onClose: () => void;
};

export function AddressBookDialog({ owner, onChoose, onClose }: AddressBookDialogProps) {
  const rows = useAddressBookRows();
  const saved = savedIn(rows.book);
  const recent = recentIn(rows.book);
  const list = { rows, owner, onChoose };
  return (
    <Dialog title="Address book" onClose={onClose}>
      <div className="grid gap-5">
        {saved.length > 0 && <BookPart title="Saved" entries={saved} {...list} />}
        {recent.length > 0 && <BookPart title="Recent" entries={recent} {...list} />}
        {rows.book.length === 0 && (
          <p className="text-ink-2">
            No saved addresses. Addresses you withdraw to appear here, and you can save any address
            under a name.
          </p>
        )}
        <p className="text-13 text-ink-3">
          Shared with your other signed-in devices, encrypted. Signing out removes it from this
          browser.
        </p>
      </div>
      <p role="status" className="sr-only">
        {rows.news}
      </p>
    </Dialog>
  );
}

type BookPartProps = {
  title: string;
  entries: readonly BookEntry[];
  rows: AddressBookRows;
  owner: string;
  onChoose: (address: string) => void;
};

function BookPart({ title, entries, rows, owner, onChoose }: BookPartProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="eyebrow mb-1">
        {title}
      </h3>
      <ul className="divide-y border-y" aria-labelledby={id}>
        {entries.map((entry) => (
          <AddressBookRow
            key={entry.address}
            entry={entry}
            title={titleOf(entry, owner)}
            rows={rows}
            onChoose={() => onChoose(entry.address)}
          />
        ))}
      </ul>
    </section>
  );
}

function titleOf({ address, name }: BookEntry, owner: string): string {
  return name ?? (sameAddress(address, owner) ? 'Your own wallet' : shortHex(address));
}

type AddressBookRowProps = {
  entry: BookEntry;
  title: string;
  rows: AddressBookRows;
  onChoose: () => void;
};

function AddressBookRow({ entry, title, rows, onChoose }: AddressBookRowProps) {
  const { address, name } = entry;
  const state = rows.stateOf(address);
  const naming = name === undefined ? `Name ${title}` : `Rename ${title}`;
  return (
    <li id={rows.idOf(address)} className="py-1">
      {state === undefined && (
        <div className="flex items-center">
          <ChooseButton entry={entry} title={title} onChoose={onChoose} />
          <IconButton icon={Pencil} label={naming} onPress={() => rows.startNaming(address)} />
          <IconButton
            icon={Trash2}
            label={`Remove ${title}`}
            onPress={() => rows.forget(address, title)}
          />
        </div>
      )}
      {state === 'naming' && (
        <div className="grid gap-3 py-2">
          <p className="font-mono text-13 text-ink-2">{shortHex(address)}</p>
          <NameForm
            address={address}
            label={naming}
            onSaved={() => rows.stopNaming(address, 'Name saved.')}
            onCancel={() => rows.stopNaming(address, '')}
          />
        </div>
      )}
      {state === 'forgotten' && (
        <div className="flex min-h-14 items-center justify-between gap-3 text-14 text-ink-2">
          <p className="wrap-anywhere min-w-0">
            Removed <bdi className={name === undefined ? 'font-mono' : ''}>{title}</bdi>
          </p>
          <Button
            size="s"
            aria-label={`Undo removal of ${title}`}
            onClick={() => rows.takeBack(title)}
          >
            Undo
          </Button>
        </div>
      )}
    </li>
  );
}

type ChooseButtonProps = { entry: BookEntry; title: string; onChoose: () => void };

function ChooseButton({ entry, title, onChoose }: ChooseButtonProps) {
  const { address } = entry;
  const isHex = title === shortHex(address);
  return (
    <button
      type="button"
      title={address}
      onClick={onChoose}
      className="-ml-2 grid min-h-14 min-w-0 flex-1 content-center gap-0.5 rounded-md px-2 py-1.5 text-left hover:bg-sunken"
    >
      <bdi className={isHex ? 'font-mono text-14' : 'wrap-anywhere font-medium text-15'}>
        {title}
      </bdi>
      <span className="flex flex-wrap gap-x-2 text-13 text-ink-3">
        {!isHex && <span className="font-mono">{shortHex(address)}</span>}
        <LastUse sentAtMs={entry.sentAtMs} />
      </span>
    </button>
  );
}

function LastUse({ sentAtMs }: { sentAtMs: number | undefined }) {
  if (sentAtMs === undefined) return <span>never used</span>;
  if (sentAtMs === 0) return <span>used before</span>;
  return (
    <span>
      last used <LocalTime at={new Date(sentAtMs).toISOString()} />
    </span>
  );
}

type IconButtonProps = { icon: LucideIcon; label: string; onPress: () => void };

function IconButton({ icon: Icon, label, onPress }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onPress}
      className="grid size-11 shrink-0 place-items-center rounded-md text-ink-3 last:-mr-2 hover:bg-sunken hover:text-ink"
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
}

/** The one row that shows a form instead of its address. */
type OpenRow = { kind: 'naming'; address: string } | { kind: 'forgotten'; dropped: Forgotten };

type AddressBookRows = ReturnType<typeof useAddressBookRows>;

function useAddressBookRows() {
  const id = useId();
  const kept = useAddressBook();
  const [open, setOpen] = useState<OpenRow>();
  const [news, setNews] = useState('');
  const idOf = (address: string) => `${id}${address.toLowerCase()}`;
  /** The pressed button has unmounted; the focus moves to its replacement. */
  const show = (address: string, next: OpenRow | undefined, said: string) => {
    flushSync(() => {
      setOpen(next);
      setNews(said);
    });
    document.getElementById(idOf(address))?.querySelector('button')?.focus();
  };
  return {
    /** The book, plus removed entries that can still be restored. */
    book: open?.kind === 'forgotten' ? withRestored(kept, open.dropped) : kept,
    news,
    idOf,
    stateOf: (address: string) => {
      if (!open) return undefined;
      const isOf = open.kind === 'naming' ? open.address : open.dropped.entry.address;
      return sameAddress(isOf, address) ? open.kind : undefined;
    },
    startNaming: (address: string) => {
      setOpen({ kind: 'naming', address });
      setNews('');
    },
    stopNaming: (address: string, said: string) => show(address, undefined, said),
    forget: (address: string, title: string) => {
      const dropped = forgetAddress(address);
      show(address, dropped && { kind: 'forgotten', dropped }, `${title} removed.`);
    },
    takeBack: (title: string) => {
      if (open?.kind !== 'forgotten') return;
      restoreAddress(open.dropped);
      show(open.dropped.entry.address, undefined, `${title} restored.`);
    },
  };
}
