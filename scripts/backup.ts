import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { backupCluster } from '#sandbox/database/backup.ts';
import { StartProblem } from '#sandbox/problem.ts';
import { chosenDataDir, dataFolderAt } from '#sandbox/stack/dataFolder.ts';
import { readDescription } from '#sandbox/stack/description.ts';
import { bold, green, reportFailure } from './terminal.ts';

const USAGE = `Copies the embedded database while it runs: npm run backup -- [options]
  --to <folder>     target, a new folder (default <data>/backups/<time>)
  --data <folder>   the sandbox's folder (default .data, or CROSSBOOK_DATA)
Back up your own database (DATABASE_URL) with its own tools.`;

function readOptions() {
  try {
    return parseArgs({
      options: {
        to: { type: 'string' },
        data: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new StartProblem(error instanceof Error ? error.message : String(error), USAGE);
  }
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options.help) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const folder = dataFolderAt(chosenDataDir(options.data));
  const running = readDescription(folder.description);
  if (!running || running.pids.database.length === 0) {
    throw new StartProblem(
      `No embedded database is running on ${folder.root}.`,
      'Start it with npm start, or copy the folder itself while it is stopped.',
    );
  }
  const name = new Date().toISOString().replaceAll(':', '').slice(0, 17);
  const target = resolve(options.to ?? join(folder.root, 'backups', name));
  const { bytes } = await backupCluster({
    url: running.databaseUrl,
    home: folder.database,
    target,
  });
  const megabytes = Math.round(bytes / 1_000_000);
  process.stdout.write(`${green('●')} ${bold(target)} (${megabytes} MB)\n`);
}

try {
  await main();
} catch (error) {
  reportFailure(error);
  process.exit(1);
}
