import { findAccounts } from '#server/domain/accounts/accounts.ts';
import { createApiKeys, generateApiKey, hashApiKey } from '#server/domain/auth/apiKeys.ts';
import { checkSession } from '#server/domain/auth/sessions.ts';
import { sizesOr } from '../harness/options.ts';
import { type Curve, some } from './curve.ts';

const owner = (n: number) => `0xb${n.toString(16).padStart(39, '0')}`;

/** Keys for lookups among many others: no process looks one up twice. */
const KEYS = 400;
const keys = Array.from({ length: KEYS }, () => generateApiKey('test'));

/** Smart accounts, each with a key and a session, which each of their requests looks up. */
export const accountsCurve: Curve = {
  of: 'accounts',
  sizes: sizesOr([1_000, 10_000, 100_000, 1_000_000], [1_000, 10_000]),
  tables: 'accounts, api_keys, sessions',
  async store(database, from, to) {
    const range = [from, to];
    await database.pool.query(
      `insert into accounts (id, owner_address)
       select '0xa' || lpad(to_hex(n), 39, '0'), '0xb' || lpad(to_hex(n), 39, '0')
       from generate_series($1::int, $2::int) n`,
      range,
    );
    await database.pool.query(
      `insert into sessions (id, owner_address, user_agent, ip, expires_at)
       select 'session-' || n, '0xb' || lpad(to_hex(n), 39, '0'), '', '', now() + interval '1 day'
       from generate_series($1::int, $2::int) n`,
      range,
    );
    await database.pool.query(
      `insert into api_keys (id, kind, name, hash, hint, scopes, origins)
       select 'key_' || n, 'test', 'bench', md5(n::text) || md5(n || 'x'), '', '{read}', '{}'
       from generate_series($1::int, $2::int) n`,
      range,
    );
    if (from > 1) return;
    await database.pool.query(
      `update api_keys set hash = given.hash, last_used_at = now()
       from unnest($1::text[]) with ordinality as given (hash, n)
       where id = 'key_' || given.n`,
      [keys.map(hashApiKey)],
    );
  },
  asked(database, size) {
    const deps = { database };
    const apiKeys = createApiKeys(database);
    return {
      'the account of an owner': (index) => findAccounts(deps, [owner(some(index, size))]),
      'a key that was not used lately': (index) => apiKeys.authenticate(keys[index % KEYS] ?? ''),
      'whether a sign-in still holds': (index) =>
        checkSession(deps, `session-${some(index, size)}`),
    };
  },
};
