import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useApp } from '#components/app/useApp.ts';
import { openConnectDialog } from '#components/wallet/ConnectButton.tsx';
import { useVisitor } from '#components/wallet/useSetup.ts';
import { searchQuery } from '#lib/browser/queries/markets.ts';
import { commandItems, foundItems, type PaletteItem } from '#lib/browser/search/paletteItems.ts';
import { createBrowserStore, readTexts } from '#lib/browser/storage/browserStore.ts';
import { useStore } from '#lib/browser/storage/store.ts';
import { chooseTheme } from '#lib/browser/theme.ts';
import { linkHandler } from '#lib/browser/workspace/linkHandler.ts';
import { closePalette } from './palette.ts';

/** How long typing must pause before the search runs. */
const DELAY_MS = 140;

export function usePalette() {
  const { api } = useApp();
  const router = useRouter();
  const { account } = useVisitor();
  const recent = useRecentSearches();
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  const [active, setActive] = useState(0);
  const [copied, setCopied] = useState<'yes' | 'no'>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const query = asked.trim();
  const found = useQuery({ ...searchQuery(api, query), enabled: query !== '' });
  /** Whether the listed results belong to earlier words than those typed now. */
  const isWaiting =
    text.trim() !== query || (query !== '' && (found.isPending || found.isPlaceholderData));
  const items = itemsFor(
    text,
    query === '' ? [] : foundItems(found.data, found.data?.corrected_query ?? query),
    recent,
    account?.smartAccountAddress,
  );

  const type = (next: string) => {
    setText(next);
    setActive(0);
    setCopied(undefined);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setAsked(next), DELAY_MS);
  };

  const go = (href: string) => {
    rememberSearch(text);
    closePalette();
    if (!linkHandler.get()?.(href)) router.push(href);
  };

  const choose = (item: PaletteItem) => {
    if ('href' in item) {
      go(item.href);
      return;
    }
    if (item.action === 'copyAddress') {
      // The palette stays open to show whether the action worked.
      void copy(account?.smartAccountAddress ?? '').then(setCopied);
      return;
    }
    closePalette();
    if (item.action === 'connect') openConnectDialog();
    if (item.action === 'theme') chooseTheme(isDark() ? 'light' : 'dark');
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && items.length > 0) {
      event.preventDefault();
      setActive((active + step + items.length) % items.length);
    }
    if (event.key === 'Escape') {
      // A search field would use the key to clear itself.
      event.preventDefault();
      event.currentTarget.closest('dialog')?.close();
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      const item = items[active];
      // A fast typist means the new words, not the results of the previous ones.
      if (isWaiting && active === 0 && item?.group === 'Markets') {
        // The search page would leave the workspace, so there the results are awaited.
        if (!linkHandler.get()) go(searchPage(text));
      } else if (item) choose(item);
    }
  };

  const correctedQuery = query === '' || isWaiting ? undefined : found.data?.corrected_query;

  return {
    text,
    query,
    correctedQuery,
    items,
    active,
    isWaiting,
    /** Of the current list only the link to the search page is valid. */
    isNothing: query !== '' && !isWaiting && found.isSuccess && items.length === 1,
    isFailed: found.isError,
    copied,
    type,
    choose,
    onKeyDown,
  };
}

function itemsFor(
  text: string,
  found: PaletteItem[],
  recent: string[],
  depositAddress: string | undefined,
): PaletteItem[] {
  const commands = commandItems(text, depositAddress);
  if (text.trim() === '') {
    const searches = recent.map((query) => ({
      id: `r:${query}`,
      group: 'Recent searches',
      label: query,
      href: searchPage(query),
    }));
    return [...searches, ...commands];
  }
  const all: PaletteItem = {
    id: 'all',
    group: 'Search',
    label: `Search for “${text.trim()}”`,
    href: searchPage(text),
  };
  return [...found, ...commands, all];
}

function searchPage(query: string): string {
  return `/search?query=${encodeURIComponent(query.trim())}`;
}

async function copy(text: string): Promise<'yes' | 'no'> {
  try {
    await navigator.clipboard.writeText(text);
    return 'yes';
  } catch {
    return 'no';
  }
}

function isDark(): boolean {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

const NOTHING: string[] = [];
const MAX_RECENT = 5;
const recent = createBrowserStore('crossbook.searches', NOTHING, readTexts);

function useRecentSearches(): string[] {
  return useStore(recent, NOTHING);
}

function rememberSearch(query: string): void {
  const text = query.trim();
  if (text === '') return;
  recent.set([text, ...recent.get().filter((one) => one !== text)].slice(0, MAX_RECENT));
}
