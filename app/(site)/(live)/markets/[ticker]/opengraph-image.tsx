import { ImageResponse } from 'next/og';
import { SHARE_SIZE, type ShareCardContent, shareCard } from '#app/_share/shareCard.tsx';
import { sharedPicture } from '#app/_share/sharedPicture.ts';
import SiteImage from '#app/opengraph-image.tsx';
import { outcomeWord } from '#components/market/MarketResult.tsx';
import { cents, estimate } from '#lib/format/money.ts';
import { impliedChance, type MarketPageView } from '#lib/market/marketView.ts';
import { outcomeOf } from '#lib/market/outcomeName.ts';
import { MICROS } from '#lib/money.ts';
import { findMarketPage } from '../../../_data/markets.ts';

export const size = SHARE_SIZE;
export const contentType = 'image/png';
export const alt = 'Market with its current chance or result';

export default async function MarketImage(props: { params: Promise<{ ticker: string }> }) {
  const page = await findMarketPage((await props.params).ticker);
  // The not-found page references an image, too.
  if (!page) return SiteImage();
  const { market } = page;
  const outcome = outcomeOf(market.title, market.label);
  return new ImageResponse(
    shareCard({
      eyebrow: page.event?.category ?? 'Market',
      title: outcome ?? market.title,
      picture: await sharedPicture('markets', market.ticker),
      detail: outcome === undefined ? undefined : market.title,
      ...(market.status === 'settled' ? resultOf(market) : chanceOf(market)),
    }),
    size,
  );
}

type Market = MarketPageView['market'];

/** A decided market has no buyers: the image shows the result. */
function resultOf(market: Market): Pick<ShareCardContent, 'lines'> {
  const value = outcomeWord(market);
  const tone = value === 'Yes' ? 'yes' : value === 'No' ? 'no' : undefined;
  return { lines: [{ label: 'Resolved', value, tone }] };
}

function chanceOf(market: Market): Pick<ShareCardContent, 'lines' | 'filled'> {
  const implied = impliedChance(market);
  const ask = market.yesAskMicros;
  return {
    filled: implied === null ? undefined : Number(implied) / Number(MICROS),
    lines: [
      {
        label: market.isScalar ? 'expected payout of Yes' : 'chance of Yes',
        value: implied === null ? '–' : estimate(market, implied),
      },
      ...(ask === null ? [] : [{ label: 'to buy Yes', value: cents(ask) }]),
    ],
  };
}
