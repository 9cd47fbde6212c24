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

test('the not-found page has a valid preview image', async ({ request }) => {
  for (const path of ['/markets/NO-SUCH-MARKET', '/events/NO-SUCH-EVENT']) {
    const response = await request.get(path);
    expect(response.status(), path).toBe(404);
    const [, picture = ''] =
      /<meta property="og:image" content="([^"]+)"/.exec(await response.text()) ?? [];
    const { pathname, search } = new URL(picture);
    const shown = await request.get(`${pathname}${search}`);
    expect(shown.status(), picture).toBe(200);
    expect(shown.headers()['content-type']).toBe('image/png');
  }
});
