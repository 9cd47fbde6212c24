import { ImageResponse } from 'next/og';
import { SHARE_SIZE, type ShareCardContent, shareCard } from '#app/_share/shareCard.tsx';
import { sharedPicture } from '#app/_share/sharedPicture.ts';
import SiteImage from '#app/opengraph-image.tsx';
import { cents, chance } from '#lib/format/money.ts';
import { impliedChance, type MarketPageView } from '#lib/market/marketView.ts';
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
  return new ImageResponse(
    shareCard({
      eyebrow: page.event?.category ?? 'Market',
      title: market.title,
      picture: await sharedPicture('markets', market.ticker),
      detail: market.label === market.title ? undefined : market.label,
      ...(market.status === 'settled' ? resultOf(market) : chanceOf(market)),
    }),
    size,
  );
}

type Market = MarketPageView['market'];

/** A decided market has no buyers: the image shows the result. */
function resultOf({ payoutYesMicros }: Market): Pick<ShareCardContent, 'lines'> {
  const label = 'Resolved';
  if (payoutYesMicros === MICROS) return { lines: [{ label, value: 'Yes', tone: 'yes' }] };
  if (payoutYesMicros === 0n) return { lines: [{ label, value: 'No', tone: 'no' }] };
  return { lines: [{ label, value: 'Split' }] };
}

function chanceOf(market: Market): Pick<ShareCardContent, 'lines' | 'filled'> {
  const implied = impliedChance(market);
  const ask = market.yesAskMicros;
  return {
    filled: implied === null ? undefined : Number(implied) / Number(MICROS),
    lines: [
      { label: 'chance of Yes', value: implied === null ? '–' : chance(implied) },
      ...(ask === null ? [] : [{ label: 'to buy Yes', value: cents(ask) }]),
    ],
  };
}
