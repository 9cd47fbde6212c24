import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { ServiceStatus } from '#lib/api/schemas/status.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { loadSecrets, type Secrets } from '#sandbox/secrets.ts';
import type { SandboxDescription } from '#sandbox/stack/description.ts';
import { SERVERS, type Stack } from '#sandbox/stack/startStack.ts';
import { startTestStack } from '#sandbox/testing/testStack.ts';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const STACK_ENVIRONMENT = { SERVE_PAGES: 'false' };

/** The result of a command: its whole output, and its exit code. */
export type CommandResult = { code: number; output: string };

/** The place of a drill: a sandbox of its own, and the commands of its runbook. */
export type AdminConsole = {
  sandbox(): SandboxDescription;
  dataDir: string;
  secrets(): Promise<Secrets>;
  /**
   * Runs a command as the runbook prints it, with its `<placeholders>` filled in.
   * @throws when it fails, unless `expectCode` expects that
   */
  run(command: string, values?: Values, expectCode?: number): Promise<CommandResult>;
  status(): Promise<ServiceStatus>;
  /** Waits until the service's status matches. @throws on timeout */
  untilStatus(
    what: string,
    holds: (status: ServiceStatus) => boolean,
    timeoutMs?: number,
  ): Promise<ServiceStatus>;
  /** A private file of this drill, for a key or a backup. */
  file(name: string, content?: string): string;
  /** Restarts everything on the same data; `change` runs between stop and start. */
  restart(change?: () => Promise<void> | void): Promise<void>;
  say(line: string): void;
  close(): Promise<void>;
};

type Values = Readonly<Record<string, string>>;

const manifestSchema = z.object({ scripts: z.record(z.string(), z.string()) });

export async function openAdminConsole(say: (line: string) => void): Promise<AdminConsole> {
  const dataDir = mkdtempSync(join(tmpdir(), 'crossbook-drill-'));
  const papers = mkdtempSync(join(tmpdir(), 'crossbook-drill-papers-'));
  let stack: Stack = await startTestStack({
    dataDir,
    environment: STACK_ENVIRONMENT,
    servers: SERVERS,
  });
  const sandbox = () => stack.description();
  const status = async () => {
    const response = await fetch(`${sandbox().baseUrl}/v1/status`);
    return (await response.json()) as ServiceStatus;
  };
  return {
    sandbox,
    dataDir,
    say,
    status,
    secrets: () => loadSecrets(stack.folder.secrets),
    run: (command, values = {}, expectCode = 0) => runCommand(dataDir, command, values, expectCode),
    async untilStatus(what, holds, timeoutMs = 30_000) {
      let last: ServiceStatus | undefined;
      const found = await pollUntil(
        async () => {
          last = await status();
          return holds(last) ? last : undefined;
        },
        { timeoutMs, everyMs: 250 },
      );
      if (found) return found;
      throw new Error(`the status never said that ${what}: ${JSON.stringify(last)}`);
    },
    file(name, content) {
      const path = join(papers, name);
      if (content !== undefined) writeFileSync(path, content, { mode: 0o600 });
      return path;
    },
    async restart(change) {
      await stack.stop();
      await change?.();
      stack = await startTestStack({ dataDir, environment: STACK_ENVIRONMENT, servers: SERVERS });
    },
    async close() {
      await stack.stop();
      rmSync(dataDir, { recursive: true, force: true });
      rmSync(papers, { recursive: true, force: true });
    },
  };
}

/** Splits a command line into words, with a shell's quoting. */
export function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map((found) => found[1] ?? found[2] ?? '');
}

function filled(word: string, values: Values): string {
  return word.replaceAll(/<([a-z-]+)>/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the command needs <${name}>`);
    return value;
  });
}

/** The program of an npm script: `node scripts/launch.mjs scripts/ops.ts`. */
function programOf(script: string): string {
  const manifest = manifestSchema.parse(
    JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')),
  );
  const program = /^node scripts\/launch\.mjs (scripts\/\S+\.ts)$/.exec(
    manifest.scripts[script] ?? '',
  )?.[1];
  if (program === undefined) throw new Error(`npm run ${script} is no command of ours`);
  return program;
}

async function runCommand(
  dataDir: string,
  command: string,
  values: Values,
  expectCode: number,
): Promise<CommandResult> {
  const [npm, run, script = '', dashes, ...given] = wordsOf(command);
  if (npm !== 'npm' || run !== 'run' || (dashes !== undefined && dashes !== '--')) {
    throw new Error(`not a command of npm: ${command}`);
  }
  const { PATH, HOME, USER } = process.env;
  const child = spawn(
    process.execPath,
    [programOf(script), ...given.map((word) => filled(word, values))],
    {
      cwd: PROJECT,
      env: { PATH, HOME, USER, CROSSBOOK_DATA: dataDir, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const ended = new Promise<number>((resolve) => {
    child.on('close', (code) => resolve(code ?? 1));
  });
  const [printed, complaints, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    ended,
  ]);
  const output = `${printed}${complaints}`;
  if (code !== expectCode) {
    throw new Error(`${command}\nended with ${code}, not ${expectCode}:\n${output}`);
  }
  return { code, output };
}

/** Every log line of all parts of a sandbox. */
export function readLogs(dataDir: string): string {
  const folder = join(dataDir, 'logs');
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}
