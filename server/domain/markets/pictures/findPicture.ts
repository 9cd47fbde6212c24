import { eq } from 'drizzle-orm';
import type { PictureKind } from '#lib/market/pictures.ts';
import type { Database } from '#server/platform/database/client.ts';
import { events, markets } from '#server/platform/database/schema/markets.ts';
import type { Picture, PictureCache } from './pictureCache.ts';

type Deps = { database: Database; pictures: PictureCache };

/** The exchange's picture of a listed event or market; undefined when there is none. */
export async function findPicture(
  { database, pictures }: Deps,
  kind: PictureKind,
  ticker: string,
): Promise<Picture | undefined> {
  const table = kind === 'events' ? events : markets;
  const [row] = await database.orm
    .select({ url: table.iconUrlLightMode })
    .from(table)
    .where(eq(table.ticker, ticker))
    .limit(1);
  // Icons of categories are paths of our own.
  return row && URL.canParse(row.url) ? await pictures.read(row.url) : undefined;
}
