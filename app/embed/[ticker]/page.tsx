import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { findPageMarket, toMarketView } from '#app/(site)/_data/markets.ts';
import { oneOf, type PageParams } from '#app/(site)/_data/params.ts';
import { EmbedCard } from '#components/embed/EmbedCard.tsx';
import { marketTitle } from '#lib/market/outcomeName.ts';
import { getPublicConfig } from '#server/api/publicConfig.ts';
import { getRuntime } from '#server/api/webRuntime.ts';

// The prices are those of the request, not of the build.
export const dynamic = 'force-dynamic';

type EmbedPageProps = { params: Promise<{ ticker: string }>; searchParams: Promise<PageParams> };

const THEMES = [{ value: 'auto' }, { value: 'light' }, { value: 'dark' }] as const;

export async function generateMetadata(props: EmbedPageProps): Promise<Metadata> {
  const { ticker } = await props.params;
  const market = await findPageMarket(ticker);
  return {
    title: market ? marketTitle(toMarketView(market)) : 'Market not found',
    robots: { index: false },
    ...(market && { alternates: { canonical: `/markets/${ticker}` } }),
  };
}

/** The one page that other sites can show in a frame; see `server/api/securityHeaders.ts`. */
export default async function EmbedPage(props: EmbedPageProps) {
  const [{ ticker }, query] = await Promise.all([props.params, props.searchParams]);
  const market = await findPageMarket(ticker);
  if (!market) notFound();
  const { apiKey } = getPublicConfig((await getRuntime()).config);
  const theme = oneOf(query, 'theme', THEMES);
  return (
    <main data-theme={theme === 'auto' ? undefined : theme}>
      <EmbedCard market={toMarketView(market)} apiKey={apiKey} renderedAtMs={Date.now()} />
    </main>
  );
}
