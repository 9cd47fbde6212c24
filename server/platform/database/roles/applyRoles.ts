import pg from 'pg';
import {
  COLUMN_RIGHTS,
  DATABASE_ROLES,
  type DatabaseRole,
  FUNCTION_RIGHTS,
  TABLE_RIGHTS,
} from './grants.ts';

/** The names of the roles in the database. */
export type RoleNames = Record<DatabaseRole, string>;

export const DEFAULT_ROLE_NAMES: RoleNames = {
  web: 'crossbook_web',
  processor: 'crossbook_processor',
  notifications: 'crossbook_notifications',
  operator: 'crossbook_operator',
};

const RIGHTS: Record<string, string> = { r: 'select', a: 'insert', w: 'update', d: 'delete' };
/** Like the migrator's: concurrent grants would disturb each other. */
const GRANT_LOCK_KEY = 7_203_115;
/**
 * A process that freezes within a transaction keeps its locks until its connection ends. The server
 * ends it, so that others can take over. Set on the role, because behind a pooler a setting of the
 * connection would reach other clients.
 */
const IDLE_IN_TRANSACTION_SECONDS = 5;

/**
 * Creates missing roles, gives each exactly the rights of `TABLE_RIGHTS` and revokes all others.
 * Needs the owner of the tables and, for roles and passwords, the right to create roles. Safe to
 * repeat, also while processes run.
 * @param passwords set where given; a new role without one cannot log in yet
 */
export async function applyRoles(
  url: string,
  options: {
    names?: RoleNames;
    passwords?: Partial<Record<DatabaseRole, string>>;
    roles?: readonly DatabaseRole[];
  } = {},
): Promise<void> {
  const { names = DEFAULT_ROLE_NAMES, passwords = {}, roles = DATABASE_ROLES } = options;
  await withClient(url, async (client) => {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [GRANT_LOCK_KEY]);
    for (const role of roles) {
      await ensureRole(client, names[role], passwords[role]);
      await grantAll(client, role, names[role]);
    }
    await grantFunctions(client, roles, names);
    await client.query('commit');
  });
}

/**
 * Updates the rights of existing roles after tables were added.
 * @returns the missing roles
 */
export async function refreshRoles(url: string, names = DEFAULT_ROLE_NAMES): Promise<string[]> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ name: string }>('select rolname as name from pg_roles where rolname = any($1)', [
      Object.values(names),
    ]),
  );
  const existing = new Set(rows.map(({ name }) => name));
  const roles = DATABASE_ROLES.filter((role) => existing.has(names[role]));
  if (roles.length > 0) await applyRoles(url, { names, roles });
  return Object.values(names).filter((name) => !existing.has(name));
}

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>) {
  const client = new pg.Client({ connectionString: url, application_name: 'crossbook-roles' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function ensureRole(client: pg.Client, name: string, password?: string): Promise<void> {
  const role = pg.escapeIdentifier(name);
  const found = await client.query('select from pg_roles where rolname = $1', [name]);
  if (found.rowCount === 0) {
    await client.query(
      `create role ${role} login nosuperuser nocreatedb nocreaterole noinherit noreplication`,
    );
    await client.query(
      `alter role ${role} set idle_in_transaction_session_timeout = '${IDLE_IN_TRANSACTION_SECONDS}s'`,
    );
  }
  if (password !== undefined) {
    await client.query(`alter role ${role} password ${pg.escapeLiteral(password)}`);
  }
}

async function grantAll(client: pg.Client, role: DatabaseRole, name: string): Promise<void> {
  const to = pg.escapeIdentifier(name);
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  await client.query(
    `grant connect on database ${pg.escapeIdentifier(rows[0]?.name ?? '')} to ${to}`,
  );
  for (const schema of ['public', 'drizzle']) {
    await client.query(`revoke all on all tables in schema ${schema} from ${to}`);
    await client.query(`grant usage on schema ${schema} to ${to}`);
  }
  await client.query(`grant select on drizzle.__drizzle_migrations to ${to}`);
  for (const [table, rights] of Object.entries(TABLE_RIGHTS)) {
    const list = Array.from(rights[role], (letter) => RIGHTS[letter]);
    if (list.length === 0) continue;
    await client.query(`grant ${list.join(', ')} on ${pg.escapeIdentifier(table)} to ${to}`);
  }
  // The revocation of table rights above includes them.
  for (const [table, columns] of Object.entries(COLUMN_RIGHTS)) {
    for (const [column, roles] of Object.entries(columns)) {
      if (!roles.includes(role)) continue;
      const what = `${pg.escapeIdentifier(column)}) on ${pg.escapeIdentifier(table)}`;
      await client.query(`grant update (${what} to ${to}`);
    }
  }
}

async function grantFunctions(
  client: pg.Client,
  granted: readonly DatabaseRole[],
  names: RoleNames,
): Promise<void> {
  for (const [signature, roles] of Object.entries(FUNCTION_RIGHTS)) {
    await client.query(`revoke execute on function ${signature} from public`);
    for (const role of granted) {
      const to = pg.escapeIdentifier(names[role]);
      const verb = roles.includes(role) ? 'grant' : 'revoke';
      await client.query(
        `${verb} execute on function ${signature} ${verb === 'grant' ? 'to' : 'from'} ${to}`,
      );
    }
  }
}
