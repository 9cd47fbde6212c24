import { globSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/**
 * Tells V8 to compile every function of a file while it arrives, off the main thread, instead of
 * each when it is first called. https://v8.dev/blog/explicit-compile-hints
 */
const HINT = '//# allFunctionsCalledOnLoad\n';

/** Larger ones are libraries that a page asks for when it needs them, and runs little of. */
const LARGEST_OF_OURS_BYTES = 64 * 1_024;

const buildManifest = z.object({ rootMainFiles: z.array(z.string()) });

/**
 * Marks the scripts that a page runs as soon as it has them: what every page begins with (React
 * and Next, by the build's own list), and the small ones, which are our components.
 * @param folder what `next build` has made
 */
export async function hintScripts(folder: string): Promise<void> {
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'build-manifest.json'), 'utf8'));
  const first = new Set(buildManifest.parse(manifest).rootMainFiles);
  for (const file of globSync('static/chunks/**/*.js', { cwd: folder })) {
    const path = join(folder, file);
    const { size } = await stat(path);
    if (first.has(file) || size <= LARGEST_OF_OURS_BYTES) await hint(path);
  }
}

async function hint(path: string): Promise<void> {
  const script = await readFile(path, 'utf8');
  if (!script.startsWith(HINT)) await writeFile(path, HINT + script);
}
