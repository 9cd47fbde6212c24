import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pollUntil } from '#sandbox/process/poll.ts';
import { anyFreePort } from '#sandbox/process/ports.ts';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
/** Within the project, so that Next is found, and below an ignored folder. */
const FOLDER = join(PROJECT, '.data', 'bare-page');
const NEXT = join(PROJECT, 'node_modules', 'next', 'dist', 'bin', 'next');

export type BarePage = { url: string; stop(): Promise<void> };

/** The minimum of Next: a layout and a page that is rendered per request. */
const FILES: Record<string, (lines: readonly string[]) => string> = {
  'package.json': () => '{"name":"bare-page","private":true,"type":"module"}',
  'next.config.mjs': () =>
    `export default { poweredByHeader: false, turbopack: { root: ${JSON.stringify(PROJECT)} } };`,
  'app/layout.jsx': () =>
    'export default ({ children }) => <html lang="en"><body>{children}</body></html>;',
  'app/page.jsx': (lines) => `
    export const dynamic = 'force-dynamic';
    const lines = ${JSON.stringify(lines)};
    export default function Page() {
      return <main><h1>Markets</h1><ul>{lines.map((line) => <li key={line}>{line}</li>)}</ul></main>;
    }`,
};

/** Builds the page for production and serves it from a process of its own. */
export async function startBarePage(lines: readonly string[]): Promise<BarePage> {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(join(FOLDER, 'app'), { recursive: true });
  for (const [name, contentOf] of Object.entries(FILES)) {
    writeFileSync(join(FOLDER, name), contentOf(lines));
  }
  const env = { ...process.env, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' };
  const build = spawn(process.execPath, [NEXT, 'build'], { cwd: FOLDER, env, stdio: 'inherit' });
  const [code] = (await once(build, 'exit')) as [number | null];
  if (code !== 0) throw new Error('the bare page was not built');
  const port = await anyFreePort();
  const args = [NEXT, 'start', '--hostname', '127.0.0.1', '--port', String(port)];
  const server = spawn(process.execPath, args, { cwd: FOLDER, env, stdio: 'ignore' });
  const exited = once(server, 'exit');
  const url = `http://127.0.0.1:${port}/`;
  await pollUntil(async () => (await fetch(url).catch(() => undefined))?.ok === true || undefined, {
    timeoutMs: 30_000,
  });
  return {
    url,
    async stop() {
      server.kill('SIGKILL');
      await exited;
      rmSync(FOLDER, { recursive: true, force: true });
    },
  };
}
