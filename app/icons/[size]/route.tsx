import { ImageResponse } from 'next/og';
import { markImage } from '#app/_share/markImage.tsx';

const SIZES = ['192', '512'];

export const dynamicParams = false;

export function generateStaticParams(): { size: string }[] {
  return SIZES.map((size) => ({ size }));
}

export async function GET(_: Request, context: { params: Promise<{ size: string }> }) {
  const edge = Number((await context.params).size);
  return new ImageResponse(markImage(edge), { width: edge, height: edge });
}
