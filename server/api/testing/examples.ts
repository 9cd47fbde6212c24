import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { SandboxDescription } from '#sandbox/stack/description.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

export type Run = { code: number; output: string };

/** Examples of a document, run as they are printed but for the port and the data folder. */
export type Examples = {
  bash(name: string): Promise<Run>;
  typescript(name: string): Promise<Run>;
  remove(): void;
};

/** @param document relative to the project; its examples are marked `<!-- run: name -->` */
export function openExamples(document: string, sandbox: SandboxDescription): Examples {
  const source = readFileSync(join(PROJECT, document), 'utf8');
  // Inside the project, so that the examples find the packages they import.
  mkdirSync(join(PROJECT, '.data'), { recursive: true });
  const folder = mkdtempSync(join(PROJECT, '.data', 'examples-'));
  writeFileSync(join(folder, 'sandbox.json'), JSON.stringify(sandbox));

  function example(name: string): string {
    const marked = new RegExp(`<!-- run: ${name} -->\n\`\`\`\\w+\n([\\s\\S]*?)\n\`\`\``);
    const code = marked.exec(source)?.[1];
    if (code === undefined) throw new Error(`${document} has no example "${name}"`);
    return code
      .replaceAll('http://localhost:3000', sandbox.baseUrl)
      .replaceAll('.data/sandbox.json', join(folder, 'sandbox.json'));
  }

  async function run(program: string, args: string[]): Promise<Run> {
    const child = spawn(program, args, {
      cwd: PROJECT,
      env: { ...process.env, CROSSBOOK_DATA: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise<number>((resolve) => {
      child.on('close', (code) => resolve(code ?? 1));
    });
    const [output, errors, code] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      ended,
    ]);
    return { code, output: `${output}${errors}` };
  }

  return {
    bash: (name) => run('bash', ['-e', '-o', 'pipefail', '-c', example(name)]),
    async typescript(name) {
      const file = join(folder, `${name}.ts`);
      writeFileSync(file, example(name));
      return await run(process.execPath, [file]);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
