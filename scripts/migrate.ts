import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { migrateDatabase } from '#server/platform/database/migrate.ts';
import { refreshRoles } from '#server/platform/database/roles/applyRoles.ts';
import { runMain, StartError } from '#server/platform/process/runMain.ts';
import { databaseUrlFrom, roleNamesFrom } from './databaseOptions.ts';

const USAGE = `Brings the tables of the database in DATABASE_URL up to date: npm run migrate
Safe to repeat, to run from several places at once, and while services are running.
  --help
Reads DATABASE_URL (or DATABASE_URL_FILE), of the database's owner, and the names of the roles
(DATABASE_WEB_ROLE, DATABASE_PROCESSOR_ROLE, DATABASE_NOTIFICATIONS_ROLE, DATABASE_OPERATOR_ROLE),
whose rights are updated with the tables.
`;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
  if (values.help) return void process.stdout.write(USAGE);
  const dotEnv = fileURLToPath(new URL('../.env', import.meta.url));
  if (existsSync(dotEnv)) process.loadEnvFile(dotEnv);
  const url = databaseUrlFrom(process.env);
  await explained(() => migrateDatabase(url));
  process.stdout.write('The tables are up to date.\n');
  const missing = await refreshRoles(url, roleNamesFrom(process.env));
  process.stdout.write(
    missing.length === 0
      ? 'The rights of the roles are up to date.\n'
      : `The role ${missing.join(', ')} does not exist yet. Run npm run db:roles to create it.\n`,
  );
}

/** The migrator wraps the database's error in the text of a query. */
async function explained(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    if (!(cause instanceof Error) || !('code' in cause)) throw error;
    if (String(cause.code) !== '42501') throw error;
    throw new StartError(
      'refused',
      `${cause.message}; DATABASE_URL must use the role that owns the database`,
      { cause },
    );
  }
}

await runMain('The migration', main);
