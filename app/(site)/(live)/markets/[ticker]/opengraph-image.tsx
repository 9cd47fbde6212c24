import { ImageResponse } from 'next/og';
import { cents, chance } from '#lib/format/money.ts';
import { impliedChance } from '#lib/market/marketView.ts';
import { SHARE_SIZE, shareCard } from '#lib/share/shareCard.tsx';
import { findMarketPage } from '../../../_data/markets.ts';

export const size = SHARE_SIZE;
export const contentType = 'image/png';
export const alt = 'The market and its chance now';

export default async function MarketImage(props: { params: Promise<{ ticker: string }> }) {
  const page = await findMarketPage((await props.params).ticker);
  if (!page) return new Response(null, { status: 404 });
  const { market } = page;
  const implied = impliedChance(market);
  return new ImageResponse(
    shareCard({
      eyebrow: page.event?.category ?? 'Market',
      title: market.label === market.title ? market.title : `${market.title} ${market.label}`,
      lines: [
        { label: 'chance of Yes', value: implied === null ? '–' : chance(implied) },
        ...(market.yesAskMicros === null
          ? []
          : [{ label: 'to buy Yes', value: cents(market.yesAskMicros) }]),
      ],
    }),
    size,
  );
}
