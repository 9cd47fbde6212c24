import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { EventBoard } from '#components/market/EventBoard.tsx';
import { findEventCard, findEventPage } from '../../../_data/markets.ts';
import { pageMetadata } from '../../../_data/pageMetadata.ts';
import { oneOf, type PageParams, text } from '../../../_data/params.ts';

type EventPageProps = {
  params: Promise<{ ticker: string }>;
  searchParams: Promise<PageParams>;
};

export async function generateMetadata(props: EventPageProps): Promise<Metadata> {
  const event = await findEventCard((await props.params).ticker);
  if (!event) return { title: 'Event not found' };
  return pageMetadata({
    path: `/events/${encodeURIComponent(event.eventTicker)}`,
    title: event.title,
    description: `Trade “${event.title}” in USDC from a smart account that only you own.`,
    hasOwnPicture: true,
  });
}

export default async function EventPage(props: EventPageProps) {
  const [{ ticker }, query] = await Promise.all([props.params, props.searchParams]);
  const page = await findEventPage(ticker);
  if (!page) notFound();
  return (
    <EventBoard
      event={page.event}
      rules={page.rules}
      shards={page.shards}
      selected={text(query, 'market')}
      side={oneOf(query, 'side', [{ value: 'yes' }, { value: 'no' }])}
      renderedAtMs={Date.now()}
    />
  );
}
