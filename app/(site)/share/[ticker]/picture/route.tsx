import { ImageResponse } from 'next/og';
import { positionPicture } from '#app/_share/positionPicture.tsx';
import { SHARE_SIZE } from '#app/_share/shareCard.tsx';
import { sharedPicture } from '#app/_share/sharedPicture.ts';
import { parseSharedPosition } from '#lib/share/sharedPosition.ts';
import { findMarketPage } from '../../../_data/markets.ts';
import { positionCard } from '../../../_data/positionCard.ts';

/** Prices move; previews are fetched once. */
const CACHE = 'public, max-age=60';

export async function GET(request: Request, context: { params: Promise<{ ticker: string }> }) {
  const page = await findMarketPage((await context.params).ticker);
  if (!page) return new Response('Not found\n', { status: 404 });
  const picture = await sharedPicture('markets', page.market.ticker);
  const { searchParams } = new URL(request.url);
  const shared = parseSharedPosition((name) => searchParams.get(name) ?? undefined);
  return new ImageResponse(
    positionPicture({
      ...positionCard(page.market, page.event?.category ?? 'Market', shared),
      picture,
    }),
    { ...SHARE_SIZE, headers: { 'cache-control': CACHE } },
  );
}
