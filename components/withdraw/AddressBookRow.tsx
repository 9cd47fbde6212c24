'use client';

import { type LucideIcon, Pencil, Trash2 } from 'lucide-react';
import { Button } from '#components/ui/Button.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import type { BookEntry } from '#lib/browser/withdraw/addressBook.ts';
import { shortHex } from '#lib/format/address.ts';
import { NameForm } from './NameForm.tsx';
import type { AddressBookRows } from './useAddressBookRows.ts';

type AddressBookRowProps = {
  entry: BookEntry;
  title: string;
  rows: AddressBookRows;
  onChoose: () => void;
};

/** An address with its actions (choose, name, remove), the form for its name, or an undo button. */
export function AddressBookRow({ entry, title, rows, onChoose }: AddressBookRowProps) {
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
