import { beforeAll, expect, it } from 'vitest';
import { openSession, type Session } from './testing/apiSession.ts';

let session: Session;

beforeAll(async () => {
  session = await openSession();
});

const get = (path: string) => fetch(`${session.baseUrl}${path}`);

it('GET /v1/reference 200: brings everything itself and lets nothing else in', async () => {
  const page = await get('/v1/reference');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const html = await page.text();
  const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].flatMap(([, target = '']) => target);
  expect(loaded.filter((target) => /^(https?:)?\/\//.test(target))).toEqual([]);
  for (const target of loaded.filter((one) => one.startsWith('/v1/reference/'))) {
    const asset = await get(target);
    expect(asset.status, target).toBe(200);
    expect((await asset.text()).length).toBeGreaterThan(50);
    expect(asset.headers.get('x-content-type-options')).toBe('nosniff');
  }
});

it('GET /v1/reference/{asset} 404 for everything else', async () => {
  for (const asset of ['package.json', '..%2Fpackage.json', '__proto__', 'constructor']) {
    const refused = await session.refuse('GET', `/v1/reference/${asset}`, { key: false });
    expect(refused, asset).toMatchObject({ status: 404, code: 'not_found' });
  }
});

it('every error code has its page, and nothing else has', async () => {
  const refused = await get('/v1/nothing');
  const { type } = (await refused.json()) as { type: string };
  expect((await fetch(type)).status).toBe(200);
  expect((await get('/docs/errors/no_such_code')).status).toBe(404);
});
