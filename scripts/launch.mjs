/**
 * The first thing `npm start` and `npm run reset` run, in plain JavaScript: it must work on every
 * Node a machine may have, and see to it that the rest runs on the Node that npm installed here.
 * Usage: node scripts/launch.mjs <script> [arguments]
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const NEEDED_MAJOR = 24;
const OLDEST_MAJOR = 20;

const projectPath = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const suffix = process.platform === 'win32' ? '.exe' : '';

function stop(problem, cure) {
  process.stderr.write(`\n  ${problem}\n  ${cure}\n\n`);
  process.exit(1);
}

function majorOf(program) {
  if (!existsSync(program)) return 0;
  const asked = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return asked.status === 0 ? Number(/^v(\d+)/.exec(asked.stdout)?.[1] ?? 0) : 0;
}

const PARENT_CHECK_MS = 500;

/**
 * A signal to npm ends the shell that npm runs a script in, but not the program below it, which
 * would keep running. So under npm the program watches its parent and stops itself when the parent
 * is gone.
 */
function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS);
  looking.unref();
}

function runOn(program, args) {
  const child = spawn(program, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}

stopWithNpm();
const [script, ...rest] = process.argv.slice(2);
const current = Number(process.versions.node.split('.')[0]);

if (!script) stop('No script was named.', 'Usage: node scripts/launch.mjs <script> [arguments]');
else if (!existsSync(projectPath('node_modules/next'))) {
  stop('The packages of this project are not installed.', 'Run `npm ci` first.');
} else if (current >= NEEDED_MAJOR) {
  module.enableCompileCache(projectPath('.next/cache/node'));
  process.argv.splice(1, 2, projectPath(script));
  await import(pathToFileURL(projectPath(script)).href);
} else {
  const newer = projectPath(`node_modules/node/bin/node${suffix}`);
  if (majorOf(newer) >= NEEDED_MAJOR) runOn(newer, [projectPath(script), ...rest]);
  else if (current < OLDEST_MAJOR) {
    stop(
      `This is Node ${process.versions.node}, which is too old.`,
      `Install Node ${NEEDED_MAJOR} (https://nodejs.org) and run \`npm ci\` again.`,
    );
  } else {
    stop(
      `This is Node ${process.versions.node}, and the Node ${NEEDED_MAJOR} that npm brings is missing (were install scripts switched off?).`,
      `Run \`npm rebuild node\`, or install Node ${NEEDED_MAJOR} or newer, and start again.`,
    );
  }
}
