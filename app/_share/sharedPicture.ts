import type { PictureKind } from '#lib/market/pictures.ts';
import { getRuntime } from '#server/api/webRuntime.ts';
import { findPicture } from '#server/domain/markets/pictures/findPicture.ts';

/** The formats that share images can be drawn from. */
const DRAWABLE = ['image/png', 'image/jpeg', 'image/gif', 'image/svg+xml'];

/** The exchange's picture as a data URL; undefined without one that can be drawn. */
export async function sharedPicture(
  kind: PictureKind,
  ticker: string,
): Promise<string | undefined> {
  const picture = await findPicture(await getRuntime(), kind, ticker);
  if (!picture || !DRAWABLE.includes(picture.type)) return undefined;
  return `data:${picture.type};base64,${picture.bytes.toString('base64')}`;
}
