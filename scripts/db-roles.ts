import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { applyRoles } from '#server/platform/database/roles/applyRoles.ts';
import { DATABASE_ROLES, type DatabaseRole } from '#server/platform/database/roles/grants.ts';
import { runMain } from '#server/platform/process/runMain.ts';
import { databaseUrlFrom, roleNamesFrom, variableOrFile } from './databaseOptions.ts';

const USAGE = `Creates the database roles of web servers, processors, notification senders and operators, each
with only the rights it needs: npm run -s db:roles [-- --new-passwords]
  --new-passwords   gives every role a new random password and prints one DATABASE_URL for each
  --help
Reads DATABASE_URL (or DATABASE_URL_FILE), of the database's owner; the names of the roles from
DATABASE_WEB_ROLE, DATABASE_PROCESSOR_ROLE, DATABASE_NOTIFICATIONS_ROLE, DATABASE_OPERATOR_ROLE;
and passwords, if set, from DATABASE_<ROLE>_PASSWORD (or …_FILE); other passwords stay unchanged.
Run npm run migrate first. Safe to repeat.
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'new-passwords': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(USAGE);
  const dotEnv = fileURLToPath(new URL('../.env', import.meta.url));
  if (existsSync(dotEnv)) process.loadEnvFile(dotEnv);
  const url = databaseUrlFrom(process.env);
  const names = roleNamesFrom(process.env);
  const passwords = Object.fromEntries(
    DATABASE_ROLES.map((role) => [role, passwordFor(role, values['new-passwords'])]),
  );
  await applyRoles(url, { names, passwords });
  for (const role of DATABASE_ROLES) {
    const password = passwords[role];
    if (!values['new-passwords'] || password === undefined) continue;
    process.stdout.write(`${role}: ${urlFor(url, names[role], password)}\n`);
  }
  process.stderr.write(`The rights of ${Object.values(names).join(', ')} are applied.\n`);
}

function passwordFor(role: DatabaseRole, isNew: boolean): string | undefined {
  if (isNew) return randomBytes(24).toString('base64url');
  return variableOrFile(process.env, `DATABASE_${role.toUpperCase()}_PASSWORD`);
}

function urlFor(url: string, user: string, password: string): string {
  const own = new URL(url);
  own.username = user;
  own.password = password;
  return own.href;
}

await runMain('Creating the roles', main);
