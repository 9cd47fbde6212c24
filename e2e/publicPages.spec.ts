import { expect, test } from './trader.ts';

test('public pages name their address, and the sitemap lists them', async ({ request }) => {
  const sitemap = await (await request.get('/sitemap.xml')).text();
  expect(await (await request.get('/robots.txt')).text()).toContain('/sitemap.xml');
  for (const path of ['/how-it-works', '/fees', '/help', '/privacy', '/terms']) {
    const response = await request.get(path);
    expect(response.status(), path).toBe(200);
    const html = await response.text();
    expect(html, path).toMatch(new RegExp(`<link rel="canonical" href="[^"]+${path}"`));
    expect(html, path).toContain('property="og:description"');
    expect(sitemap, path).toContain(`${path}</loc>`);
  }
});

test('a market, an event and what is not found have a valid preview image', async ({
  trader,
  request,
}) => {
  const { ticker, eventTicker } = await trader.findMarket(0);
  for (const [path, status] of [
    [`/markets/${ticker}`, 200],
    [`/events/${eventTicker}`, 200],
    ['/markets/NO-SUCH-MARKET', 404],
    ['/events/NO-SUCH-EVENT', 404],
  ] as const) {
    const response = await request.get(path);
    expect(response.status(), path).toBe(status);
    const [, picture = ''] =
      /<meta property="og:image" content="([^"]+)"/.exec(await response.text()) ?? [];
    const { pathname, search } = new URL(picture);
    const shown = await request.get(`${pathname}${search}`);
    expect(shown.status(), picture).toBe(200);
    expect(shown.headers()['content-type']).toBe('image/png');
  }
});
