import { eventTickerSchema } from '#lib/api/schemas/common.ts';
import { getRuntime } from '#server/api/webRuntime.ts';
import { findPicture } from '#server/domain/markets/pictures/findPicture.ts';

type Context = { params: Promise<{ kind: string; ticker: string }> };

/** Browsers and proxies keep a picture for a day, and show it for another week while they check. */
const KEPT = 'public, max-age=86400, stale-while-revalidate=604800';
const NOT_FOUND = { 'cache-control': 'public, max-age=60' };

/** The exchange's picture of an event or a market; the page shows the category's where it fails. */
export async function GET(request: Request, context: Context): Promise<Response> {
  const { kind, ticker } = await context.params;
  const isKnown = kind === 'events' || kind === 'markets';
  if (!isKnown || !eventTickerSchema.safeParse(ticker).success) return notFound();
  const picture = await findPicture(await getRuntime(), kind, ticker);
  if (!picture) return notFound();
  const { bytes, type, etag } = picture;
  const headers = { 'cache-control': KEPT, etag };
  if (request.headers.get('if-none-match')?.includes(etag)) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(bytes, {
    headers: {
      ...headers,
      'content-type': type,
      // Opened as a document, an SVG would belong to our origin.
      ...(type === 'image/svg+xml' && { 'content-disposition': 'attachment' }),
    },
  });
}

const notFound = () => new Response(null, { status: 404, headers: NOT_FOUND });
