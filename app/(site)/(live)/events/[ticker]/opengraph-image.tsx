import { ImageResponse } from 'next/og';
import { estimate } from '#lib/format/money.ts';
import { impliedChance, mostInformative } from '#lib/market/marketView.ts';
import { SHARE_SIZE, shareCard, truncate } from '../../../../_share/shareCard.tsx';
import { sharedPicture } from '../../../../_share/sharedPicture.ts';
import SiteImage from '../../../../opengraph-image.tsx';
import { findEventCard } from '../../../_data/markets.ts';

export const size = SHARE_SIZE;
export const contentType = 'image/png';
export const alt = 'Event with its leading outcomes';

const SHOWN = 3;
const LABEL_LENGTH = 22;

export default async function EventImage(props: { params: Promise<{ ticker: string }> }) {
  const event = await findEventCard((await props.params).ticker);
  // The not-found page references an image, too.
  if (!event) return SiteImage();
  return new ImageResponse(
    shareCard({
      eyebrow: event.category,
      title: event.title,
      picture: await sharedPicture('events', event.eventTicker),
      lines: mostInformative(event, SHOWN).map((market) => {
        const implied = impliedChance(market);
        return {
          label: truncate(market.label, LABEL_LENGTH),
          value: implied === null ? '–' : estimate(market, implied),
          color: market.color,
        };
      }),
    }),
    size,
  );
}
