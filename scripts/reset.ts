import { existsSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { StartProblem } from '#sandbox/problem.ts';
import { lockHolder } from '#sandbox/process/pidLock.ts';
import { chosenDataDir, dataFolderAt, isDataFolder } from '#sandbox/stack/dataFolder.ts';
import { endEverythingOn } from '#sandbox/stack/leftovers.ts';
import { reportFailure } from './terminal.ts';

/** Wipes a data folder: the database, the chain, the exchange, the keys. */
async function reset(): Promise<void> {
  const { values } = parseArgs({ options: { data: { type: 'string' } } });
  const root = chosenDataDir(values.data);
  const folder = dataFolderAt(root);
  if (!existsSync(root)) {
    process.stdout.write(`\n No data in ${root}. Nothing to do.\n\n`);
    return;
  }
  if (!isDataFolder(folder)) {
    throw new StartProblem(
      `${root} is not a Crossbook data folder. Nothing was deleted.`,
      'Name the right folder with --data <folder>, or remove it yourself.',
    );
  }
  const holder = lockHolder(folder.instanceLock);
  if (holder !== undefined) {
    throw new StartProblem(
      `Crossbook is running on ${root} (process ${holder}).`,
      `Stop it first, with Ctrl-C or: kill ${holder}`,
    );
  }
  // Processes left by a killed run would write into the folder while it is deleted.
  await endEverythingOn(folder);
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  process.stdout.write(`\n  ${root} is deleted. The next start begins with an empty folder.\n\n`);
}

try {
  await reset();
} catch (error) {
  reportFailure(error);
  process.exit(1);
}
