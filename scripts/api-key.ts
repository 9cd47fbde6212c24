import { parseArgs } from 'node:util';
import { apiKeyScopeSchema } from '#lib/api/schemas/key.ts';
import { ensureApiKey, generateApiKey } from '#server/domain/auth/apiKeys.ts';
import { ConfigError } from '#server/platform/config/config.ts';
import { closeDatabase, openDatabase } from '#server/platform/database/client.ts';
import { runMain } from '#server/platform/process/runMain.ts';
import { databaseUrlFrom } from './databaseOptions.ts';

const USAGE = `Creates an API key and prints it once: npm run -s api-key -- --name <what it is for> [options]
  --scopes read,trade,withdraw   its permissions (default read)
  --publishable                  only prints a value for PUBLISHABLE_KEY; the web server registers it
Reads DATABASE_URL (or DATABASE_URL_FILE), of the role operator or of the database's owner.
`;

function readOptions() {
  return parseArgs({
    options: {
      name: { type: 'string' },
      scopes: { type: 'string', default: 'read' },
      publishable: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  }).values;
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options.help) return void process.stdout.write(USAGE);
  if (options.publishable) return void process.stdout.write(`${generateApiKey('pub')}\n`);
  const scopes = options.scopes
    .split(',')
    .map((scope) => apiKeyScopeSchema.safeParse(scope.trim()));
  if (!options.name) throw new ConfigError(['--name is missing. Say what the key is for.']);
  if (scopes.some(({ success }) => !success)) {
    throw new ConfigError([
      `--scopes: “${options.scopes}” is not valid. Use read, trade or withdraw.`,
    ]);
  }
  const key = generateApiKey('live');
  const database = openDatabase({
    url: databaseUrlFrom(process.env),
    applicationName: 'crossbook-tool',
    maxConnections: 2,
  });
  try {
    await ensureApiKey(
      { database },
      { key, name: options.name, scopes: scopes.flatMap(({ data }) => data ?? []), origins: [] },
    );
  } finally {
    await closeDatabase(database);
  }
  process.stdout.write(`${key}\n`);
}

await runMain('Making the key', main);
