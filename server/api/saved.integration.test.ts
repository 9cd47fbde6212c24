import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SavedChange, SavedList } from '#lib/api/schemas/saved.ts';
import { readServerEvents } from '#lib/api/stream.ts';
import { closeDatabase } from '../platform/database/client.ts';
import {
  newWallet,
  openSandboxDatabase,
  openSession,
  type Session,
  signIn,
} from './testing/apiSession.ts';

const PATH = '/v1/account/saved';
let session: Session;
const database = openSandboxDatabase();

beforeAll(async () => {
  session = await openSession();
});
afterAll(() => closeDatabase(database));

const change = (
  kind: SavedChange['kind'],
  key: string,
  value: string | null = 'yes',
): SavedChange => ({ kind, key, value, changedAt: new Date().toISOString() });

const send = (token: string, changes: SavedChange[]) =>
  session.send('PATCH', PATH, { token, body: { changes } });
const keysOf = ({ body }: { body: unknown }) =>
  (body as SavedList).items.map(({ key }) => key).toSorted();

it('200: two devices that change different items at once keep both, and others see neither', async () => {
  const wallet = newWallet();
  const [phone, laptop] = [await signIn(session, wallet), await signIn(session, wallet)];
  await Promise.all([
    send(phone, [change('watchlist', 'EVENT-A')]),
    send(laptop, [change('watchlist', 'EVENT-B'), change('contact', '0xanna', 'Anna')]),
  ]);
  const read = await session.send('GET', PATH, { token: phone });
  expect(keysOf(read)).toEqual(['0xanna', 'EVENT-A', 'EVENT-B']);
  expect(keysOf(await send(phone, [change('watchlist', 'EVENT-A', null)]))).toEqual([
    '0xanna',
    'EVENT-B',
  ]);
  const stranger = await session.send('GET', PATH, { token: await signIn(session, newWallet()) });
  expect(stranger.body).toEqual({ version: 0, items: [] });
});

it('stores it unreadable, and exports it', async () => {
  const wallet = newWallet();
  const token = await signIn(session, wallet);
  await send(token, [change('contact', '0xanna', 'Anna')]);
  const { rows } = await database.orm.execute(
    sql`select row_to_json(s) as row from saved_items s where owner_address = ${wallet.address}`,
  );
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toMatch(/anna/i);
  const data = await session.send('GET', '/v1/account/data', { token });
  expect(data.body).toMatchObject({ saved: [{ kind: 'contact', key: '0xanna', value: 'Anna' }] });
});

it('an open stream of the owner reports the change within seconds', async () => {
  const token = await signIn(session, newWallet());
  const stop = new AbortController();
  const stream = await fetch(`${session.baseUrl}/v1/stream`, {
    headers: { 'x-api-key': session.apiKey, authorization: `Bearer ${token}` },
    signal: AbortSignal.any([stop.signal, AbortSignal.timeout(120_000)]),
  });
  if (!stream.body) throw new Error('the stream has no body');
  await send(token, [change('watchlist', 'EVENT-A')]);
  for await (const event of readServerEvents(stream.body, () => undefined)) {
    if (event.name !== 'saved') continue;
    expect(JSON.parse(event.data)).toEqual({ version: 1 });
    break;
  }
  stop.abort();
});

it('400, 401: too large, unknown or unauthenticated', async () => {
  const token = await signIn(session, newWallet());
  const wrong = [
    change('contact', '', 'Anna'),
    change('contact', '0xanna', 'x'.repeat(4_001)),
    { ...change('contact', '0xanna'), kind: 'secret' },
    { ...change('contact', '0xanna'), changedAt: 'yesterday' },
  ];
  for (const one of wrong) {
    const refused = await session.refuse('PATCH', PATH, { token, body: { changes: [one] } });
    expect(refused).toMatchObject({ status: 400, code: 'invalid_request' });
  }
  expect(await session.refuse('GET', PATH)).toMatchObject({ status: 401, code: 'token_missing' });
});
