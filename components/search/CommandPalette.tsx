import clsx from 'clsx';
import { Search } from 'lucide-react';
import { useCallback, useId } from 'react';
import { DataProvider } from '#components/app/DataProvider.tsx';
import { ListingPicture } from '#components/market/ListingPicture.tsx';
import { Spinner } from '#components/ui/Spinner.tsx';
import { marked, type PaletteItem } from '#lib/browser/search/paletteItems.ts';
import { closePalette } from './palette.ts';
import { usePalette } from './usePalette.ts';

export function CommandPalette() {
  return (
    <DataProvider>
      <Palette />
    </DataProvider>
  );
}

function Palette() {
  const id = useId();
  const palette = usePalette();
  const { items, active } = palette;
  const open = useCallback((element: HTMLDialogElement | null) => {
    if (element && !element.open) element.showModal();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes; the click is for the backdrop
    <dialog
      ref={open}
      aria-label="Search and commands"
      onClose={closePalette}
      onClick={(event) => {
        if (event.target === event.currentTarget) event.currentTarget.close();
      }}
      className="m-0 mx-auto mt-[10dvh] w-full max-w-[37.5rem] overflow-hidden rounded-lg border border-line bg-surface p-0 text-ink shadow-(--shadow-float) backdrop:bg-black/40 max-md:mt-0 max-md:h-dvh max-md:max-h-none max-md:max-w-none max-md:rounded-none max-md:border-0"
    >
      <div className="flex items-center gap-3 border-b px-4">
        {palette.isWaiting ? <Spinner /> : <Search aria-hidden className="size-4 text-ink-3" />}
        <input
          type="search"
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={items[active] ? `${id}-${active}` : undefined}
          aria-label="Search markets, pages and actions"
          placeholder="Search markets, pages, actions"
          autoComplete="off"
          value={palette.text}
          onChange={(event) => palette.type(event.target.value)}
          onKeyDown={palette.onKeyDown}
          className="min-h-14 min-w-0 flex-1 bg-transparent text-16 outline-none placeholder:text-ink-3"
        />
        <form method="dialog">
          <button
            type="submit"
            className="min-h-11 rounded-sm px-2 text-13 text-ink-2 hover:text-ink"
          >
            Close
          </button>
        </form>
      </div>
      {palette.correctedQuery !== undefined && (
        <p className="px-5 pt-3 text-13 text-ink-2">
          Showing results for <strong className="text-ink">“{palette.correctedQuery}”</strong>
        </p>
      )}
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label="Found"
        className="max-h-[60dvh] overflow-y-auto overscroll-contain p-2 max-md:max-h-[calc(100dvh-56px)]"
      >
        {items.map((item, index) => (
          <Line
            key={item.id}
            id={`${id}-${index}`}
            item={item}
            query={palette.correctedQuery ?? palette.text}
            isActive={index === active}
            heading={item.group === items[index - 1]?.group ? undefined : item.group}
            onChoose={() => palette.choose(item)}
          />
        ))}
      </div>
      {palette.isNothing && (
        <p className="px-5 pb-4 text-14 text-ink-3">
          No markets found. Try fewer words or another spelling.
        </p>
      )}
      <p role="status" className="sr-only">
        {palette.isWaiting ? '' : `${items.length} found${forWords(palette.correctedQuery)}`}
      </p>
      <p role="status" className="text-13">
        {palette.copied && (
          <span className="block border-t px-4 py-2.5">{COPIED[palette.copied]}</span>
        )}
      </p>
      {palette.isFailed && (
        <p className="border-t px-4 py-2.5 text-13 text-no">
          Search is unavailable right now. Pages and actions still work.
        </p>
      )}
    </dialog>
  );
}

function forWords(correctedQuery: string | undefined): string {
  return correctedQuery === undefined ? '' : ` for “${correctedQuery}”`;
}

const COPIED = {
  yes: 'Deposit address copied. Send only USDC on Base.',
  no: 'Copying was blocked. You find the address on the Deposit page.',
};

type LineProps = {
  id: string;
  item: PaletteItem;
  query: string;
  isActive: boolean;
  heading: string | undefined;
  onChoose: () => void;
};

function Line({ id, item, query, isActive, heading, onChoose }: LineProps) {
  const scroll = useCallback(
    (element: HTMLDivElement | null) => {
      if (isActive) element?.scrollIntoView({ block: 'nearest' });
    },
    [isActive],
  );
  return (
    <>
      {heading && (
        <p aria-hidden className="px-3 pt-3 pb-1 text-12 text-ink-3 first:pt-1">
          {heading}
        </p>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and the keys */}
      <div
        ref={scroll}
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={isActive}
        onClick={onChoose}
        className={clsx(
          'flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5 text-14 hover:bg-sunken',
          isActive && 'bg-sunken',
          item.id.startsWith('m:') && item.event === undefined && 'pl-14',
        )}
      >
        {item.event && <ListingPicture {...item.event} className="size-8" />}
        <span className="min-w-0 flex-1">
          <span className="wrap-anywhere block">
            {marked(item.label, query).map((part, index) =>
              part.isHit ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, in order
                <mark key={index} className="bg-transparent font-semibold text-ink">
                  {part.text}
                </mark>
              ) : (
                part.text
              ),
            )}
          </span>
          {item.detail && (
            <span className="wrap-anywhere block text-13 text-ink-3">{item.detail}</span>
          )}
        </span>
        {item.value && <span className="nums font-semibold">{item.value}</span>}
      </div>
    </>
  );
}
