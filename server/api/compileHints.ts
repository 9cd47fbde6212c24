import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * V8 then compiles all functions of a script while it downloads, beside the main thread; otherwise
 * it compiles each when it is first called, which is half of what starting a page costs. Other
 * browsers ignore the comment (https://v8.dev/blog/explicit-compile-hints).
 */
const HINT = '//# allFunctionsCalledOnLoad\n';
/** Chrome compiles smaller scripts on the main thread. */
const LEAST_BYTES = 32 * 1_024;

/** Adds the hint to the large scripts of the build output. */
export async function addCompileHints(folder: string): Promise<void> {
  await Promise.all(
    globSync('chunks/**/*.js', { cwd: folder }).map(async (file) => {
      const path = join(folder, file);
      const script = await readFile(path, 'utf8');
      if (script.length < LEAST_BYTES || script.startsWith(HINT)) return;
      await writeFile(path, HINT + script);
    }),
  );
}
