import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const TEXTS = '**/*.{js,css,svg,json,txt}';
/** Smaller files fit into one packet uncompressed. */
const LEAST_BYTES = 1_024;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Writes a Brotli and a gzip version beside each file of the build output. */
export async function compressAssets(folder: string): Promise<void> {
  await Promise.all(globSync(TEXTS, { cwd: folder }).map((file) => compress(join(folder, file))));
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < LEAST_BYTES) return;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await Promise.all([
    toBrotli(bytes, { params }).then((packed) => writeFile(`${path}.br`, packed)),
    toGzip(bytes, { level: constants.Z_BEST_COMPRESSION }).then((packed) =>
      writeFile(`${path}.gz`, packed),
    ),
  ]);
}
