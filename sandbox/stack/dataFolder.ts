import { accessSync, chmodSync, constants, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartProblem } from '#sandbox/problem.ts';
import { explainFullDisk } from '#sandbox/process/disk.ts';
import { takeLock } from '#sandbox/process/pidLock.ts';
import { readDescription } from './description.ts';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

/** The persistent data of one sandbox. */
export type DataFolder = ReturnType<typeof dataFolderAt>;

/** The requested data folder, or the default one beside the sources. */
export function chosenDataDir(asked: string | undefined): string {
  return resolve(asked ?? process.env.CROSSBOOK_DATA ?? join(PROJECT, '.data'));
}

export function dataFolderAt(root: string) {
  return {
    root,
    database: join(root, 'postgres'),
    chain: join(root, 'chain'),
    chainJournal: join(root, 'chain', 'journal.jsonl'),
    exchange: join(root, 'exchange'),
    logs: join(root, 'logs'),
    secrets: join(root, 'secrets.json'),
    description: join(root, 'sandbox.json'),
    processes: join(root, 'processes.json'),
    environment: join(root, 'environment'),
    instanceLock: join(root, 'instance.lock'),
    logOf: (part: string) => join(root, 'logs', `${part}.log`),
  };
}

/**
 * Makes the folder, readable by its owner alone, and claims it for this process.
 * @throws {StartProblem} when it cannot be written or another instance has it
 */
export function claimDataFolder(root: string): { folder: DataFolder; release: () => void } {
  const folder = dataFolderAt(root);
  try {
    mkdirSync(folder.logs, { recursive: true, mode: 0o700 });
    accessSync(root, constants.R_OK | constants.W_OK | constants.X_OK);
    chmodSync(root, 0o700);
    for (const path of [folder.chain, folder.exchange]) mkdirSync(path, { recursive: true });
  } catch (cause) {
    const problem = explainFullDisk(cause, root);
    if (problem !== cause) throw problem;
    throw new StartProblem(
      `The data folder ${root} cannot be written.`,
      'Give this user the right to write there, or choose another folder with --data <folder>.',
      { cause },
    );
  }
  const lock = claimLock(folder);
  if ('release' in lock) return { folder, release: lock.release };
  const running = readDescription(folder.description);
  throw new StartProblem(
    `Crossbook already runs on ${root} (process ${lock.heldBy})${running ? `, at ${running.baseUrl}` : ''}.`,
    `Use that one, stop it with Ctrl-C (or: kill ${lock.heldBy}), or start another with --data <folder> --port <number>.`,
  );
}

function claimLock({ root, instanceLock }: DataFolder): ReturnType<typeof takeLock> {
  try {
    return takeLock(instanceLock);
  } catch (error) {
    throw explainFullDisk(error, root);
  }
}

/** Whether a start has reached the database. */
export function isStarted({ database }: DataFolder): boolean {
  return existsSync(join(database, 'cluster'));
}

/** Whether the folder was ever used by a start. */
export function isDataFolder(folder: DataFolder): boolean {
  return existsSync(folder.secrets) || existsSync(folder.database) || existsSync(folder.logs);
}
