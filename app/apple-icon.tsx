import { ImageResponse } from 'next/og';
import { markImage } from '#app/_share/markImage.tsx';

export const size = { width: 180, height: 180 };
export const contentType = 'image/png';

export default function AppleIcon() {
  return new ImageResponse(markImage(size.width), size);
}
