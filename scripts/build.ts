import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildPages, isBuilt } from '#sandbox/stack/build.ts';
import { chosenDataDir } from '#sandbox/stack/dataFolder.ts';
import { reportFailure } from './terminal.ts';

/** Builds the pages for production, unless the current sources are already built. */
try {
  const logs = join(chosenDataDir(undefined), 'logs');
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  if (!isBuilt()) await buildPages(join(logs, 'build.log'), new AbortController().signal);
} catch (error) {
  reportFailure(error);
  process.exit(1);
}
