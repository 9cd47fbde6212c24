import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { buttonStyle } from '#components/ui/buttonStyle.ts';
import { PageLink } from '#components/ui/PageLink.tsx';
import { positionName } from '#lib/market/outcomeName.ts';
import { parseSharedPosition, sharedPicturePath } from '#lib/share/sharedPosition.ts';
import { findMarketPage } from '../../_data/markets.ts';
import { type PageParams, text } from '../../_data/params.ts';

type SharedPageProps = { params: Promise<{ ticker: string }>; searchParams: Promise<PageParams> };

async function sharedOf(props: SharedPageProps) {
  const [{ ticker }, query] = await Promise.all([props.params, props.searchParams]);
  const page = await findMarketPage(ticker);
  const shared = parseSharedPosition((name) => text(query, name));
  if (!page) return undefined;
  const { market } = page;
  const name = positionName({ side: shared.side, name: market.title, subtitle: market.label });
  return { market, shared, name, picture: sharedPicturePath(ticker, shared) };
}

export async function generateMetadata(props: SharedPageProps): Promise<Metadata> {
  const found = await sharedOf(props);
  if (!found) return { title: 'Market not found' };
  const title = [found.name.outcome, found.name.question].filter(Boolean).join(' · ');
  return {
    title,
    robots: { index: false },
    openGraph: {
      title,
      siteName: 'Crossbook',
      images: [{ url: found.picture, width: 1200, height: 630, alt: title }],
    },
    twitter: { card: 'summary_large_image' },
  };
}

/** What a trader has shared: the picture, what of it is theirs, and the way to the market. */
export default async function SharedPage(props: SharedPageProps) {
  const found = await sharedOf(props);
  if (!found) notFound();
  const { market, shared, name, picture } = found;
  return (
    <article className="mx-auto grid max-w-3xl gap-4">
      <h1 className="text-balance font-semibold text-22 leading-tight">
        {name.outcome}
        {name.question && (
          <span className="block font-normal text-15 text-ink-2">{name.question}</span>
        )}
      </h1>
      {/* biome-ignore lint/performance/noImgElement: made for this request, in its final size */}
      <img
        src={picture}
        alt={`${shared.kind === 'sold' ? 'A sale' : 'A position'} in ${name.outcome}`}
        width={1200}
        height={630}
        className="h-auto w-full rounded-md border border-line bg-sunken"
      />
      <p className="text-14 text-ink-2">
        A trader shared this. The prices come from Crossbook; the side, the number of contracts and
        the price paid are the trader’s own statement, which Crossbook does not check.
      </p>
      <div>
        <PageLink href={`/markets/${market.ticker}`} className={buttonStyle('primary')}>
          Open the market
        </PageLink>
      </div>
    </article>
  );
}
