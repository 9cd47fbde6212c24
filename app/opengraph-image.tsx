import { ImageResponse } from 'next/og';
import { SHARE_SIZE, shareCard } from '#app/_share/shareCard.tsx';

export const size = SHARE_SIZE;
export const contentType = 'image/png';
export const alt = 'Crossbook';

export default function SiteImage() {
  return new ImageResponse(
    shareCard({
      eyebrow: 'Prediction markets',
      title: 'Trade prediction markets in USDC from a smart account that only you own.',
      lines: [],
    }),
    size,
  );
}
