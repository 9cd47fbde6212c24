import type { Metadata } from 'next';
import Form from 'next/form';
import { EventGrid } from '#components/market/EventGrid.tsx';
import { LiveEvents } from '#components/market/LiveEvents.tsx';
import { Button } from '#components/ui/Button.tsx';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { searchEventCards } from '../_data/markets.ts';
import { type PageParams, text } from '../_data/params.ts';

export const metadata: Metadata = { title: 'Search' };

export default async function SearchPage(props: { searchParams: Promise<PageParams> }) {
  const query = text(await props.searchParams, 'query')?.slice(0, 200) ?? '';
  const found = query === '' ? undefined : await searchEventCards(query);
  const renderedAtMs = Date.now();
  return (
    <>
      <h1 className="mb-4 font-semibold text-[26px] tracking-[-0.015em]">Search</h1>
      <Form
        action="/search"
        role="search"
        aria-label="All markets"
        className="mb-6 flex max-w-xl gap-2"
      >
        <input
          key={query}
          name="query"
          type="search"
          defaultValue={query}
          aria-label="What to look for"
          placeholder="Rain, rates, a name…"
          autoComplete="off"
          className="h-11 min-w-0 flex-1 rounded-m border border-line bg-surface px-4 placeholder:text-ink-3 hover:border-line-strong"
        />
        <Button type="submit" tone="primary">
          Search
        </Button>
      </Form>
      {found && (
        <p role="status" className="nums mb-4 text-[14px] text-ink-2">
          {found.total === 1 ? '1 event' : `${found.total} events`} for “{query}”
        </p>
      )}
      {found?.total === 0 && (
        <EmptyState title="Nothing found">
          Try fewer or other words. Misspellings are forgiven.
        </EmptyState>
      )}
      {found && found.total > 0 && (
        <LiveEvents events={found.events} status="open" renderedAtMs={renderedAtMs}>
          <EventGrid events={found.events} renderedAtMs={renderedAtMs} />
        </LiveEvents>
      )}
    </>
  );
}
