import { HydrationBoundary } from '@tanstack/react-query';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ListingPicture } from '#components/market/ListingPicture.tsx';
import { LiveMarket } from '#components/market/LiveMarket.tsx';
import { RelatedMarkets, Rules } from '#components/market/MarketFacts.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { marketTitle } from '#lib/market/outcomeName.ts';
import { marketQueries } from '../../../_data/marketQueries.ts';
import { findMarketPage } from '../../../_data/markets.ts';
import { pageMetadata } from '../../../_data/pageMetadata.ts';
import { oneOf, type PageParams, text } from '../../../_data/params.ts';

type MarketPageProps = {
  params: Promise<{ ticker: string }>;
  searchParams: Promise<PageParams>;
};

export async function generateMetadata(props: MarketPageProps): Promise<Metadata> {
  const page = await findMarketPage((await props.params).ticker);
  if (!page) return { title: 'Market not found' };
  return pageMetadata({
    path: `/markets/${encodeURIComponent(page.market.ticker)}`,
    title: marketTitle(page.market),
    description: page.rulesPrimary.slice(0, 200),
    hasOwnPicture: true,
  });
}

export default async function MarketPage(props: MarketPageProps) {
  const [{ ticker }, query] = await Promise.all([props.params, props.searchParams]);
  const [page, queries] = await Promise.all([findMarketPage(ticker), marketQueries(ticker)]);
  if (!page || !queries) notFound();
  return (
    <HydrationBoundary state={queries}>
      <LiveMarket
        market={page.market}
        event={
          page.event && {
            ...page.event,
            picture: (
              <ListingPicture
                picture={page.market.picture}
                category={page.event.category}
                className="size-8"
              />
            ),
            workspace: (
              <PageLink
                href={`/workspace?market=${encodeURIComponent(page.market.ticker)}`}
                className="underline decoration-line underline-offset-4 hover:text-ink max-[90rem]:hidden"
              >
                Open in workspace
              </PageLink>
            ),
          }
        }
        shards={page.shards}
        related={page.related.map(({ ticker, status }) => ({ ticker, status }))}
        initial={{
          side: oneOf(query, 'side', [{ value: 'yes' }, { value: 'no' }]),
          action: oneOf(query, 'action', [{ value: 'buy' }, { value: 'sell' }]),
        }}
        chosen={text(query, 'side') !== undefined}
        renderedAtMs={Date.now()}
      >
        <Rules page={page} />
        <RelatedMarkets markets={page.related} />
      </LiveMarket>
    </HydrationBoundary>
  );
}
