import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { backupTime, restoreCluster } from '#sandbox/database/backup.ts';
import { StartProblem } from '#sandbox/problem.ts';
import { chosenDataDir, claimDataFolder } from '#sandbox/stack/dataFolder.ts';
import { bold, green, reportFailure } from './terminal.ts';

const USAGE = `Replaces the embedded database with a backup: npm run restore -- <folder>
  --data <folder>   the sandbox's folder (default .data, or CROSSBOOK_DATA)
Stop Crossbook first. The old data is kept next to it. The next start reads newer data from the
chain and the exchange.`;

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { data: { type: 'string' }, help: { type: 'boolean', default: false } },
  });
  const [from] = positionals;
  if (values.help || from === undefined) {
    process.stdout.write(`${USAGE}\n`);
    if (!values.help) process.exitCode = 1;
    return;
  }
  const { folder, release } = claimDataFolder(chosenDataDir(values.data));
  try {
    const time = backupTime(resolve(from));
    const kept = restoreCluster({ home: folder.database, from: resolve(from) });
    process.stdout.write(
      `${green('●')} The database is as of ${bold(time ?? 'the backup')}.\n  Old data: ${kept}\n`,
    );
  } finally {
    release();
  }
}

try {
  main();
} catch (error) {
  const problem =
    error instanceof TypeError && 'code' in error ? new StartProblem(error.message, USAGE) : error;
  reportFailure(problem);
  process.exit(1);
}
