import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { StartProblem } from '#sandbox/problem.ts';
import { chosenDataDir } from '#sandbox/stack/dataFolder.ts';
import type { SandboxDescription } from '#sandbox/stack/description.ts';
import { type Stack, startStack } from '#sandbox/stack/startStack.ts';
import { bold, dim, green, reportFailure, terminalProgress } from './terminal.ts';

const USAGE = `Starts Crossbook: npm start -- [options]
  --data <folder>   data folder      (default .data, or CROSSBOOK_DATA)
  --port <number>   of the web server             (default 3000, or PORT)
  --parts           only chain and exchange, and files with what web servers and processors of your
                    own need to use them (docs/DEPLOYMENT.md)
  --verbose         show the logs instead of writing them to files
  --help`;

const PROJECT = fileURLToPath(new URL('../', import.meta.url));
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const DEFAULT_PORT = 3000;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        data: { type: 'string' },
        port: { type: 'string' },
        parts: { type: 'boolean', default: false },
        verbose: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    throw new StartProblem(error instanceof Error ? error.message : String(error), USAGE);
  }
}

function portFrom(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new StartProblem(
    `“${text}” is not a port.`,
    'Give a whole number from 1 to 65535: npm start -- --port 3001',
  );
}

function closingScreen(description: SandboxDescription, folder: string, ownData: boolean): string {
  const { baseUrl, apiKey } = description;
  const where = relative(process.cwd(), folder);
  const shown = where !== '' && !where.startsWith('..') ? where : folder;
  return [
    '',
    `  ${green('●')} ${bold('Crossbook is running')}   ${bold(baseUrl)}`,
    '',
    `    ${dim('API key')}   ${apiKey}`,
    `    ${dim('Try it')}    curl -s -H 'x-api-key: ${apiKey}' '${baseUrl}/v1/prediction-market/markets?limit=3'`,
    '',
    `    ${dim('Data')}      ${shown}${ownData ? '' : ' (and the configured database)'}`,
    `    ${dim('Stop')}      Ctrl-C; your data is kept`,
    `    ${dim('Reset')}     npm run reset, once stopped`,
    '',
    '',
  ].join('\n');
}

function partsScreen({ description, folder }: Stack): string {
  const { rpcUrl, exchangeUrl } = description();
  return [
    '',
    `  ${green('●')} ${bold('Chain and exchange are running')}`,
    '',
    `    ${dim('Chain')}         ${rpcUrl}`,
    `    ${dim('Exchange')}      ${exchangeUrl}`,
    `    ${dim('Environment')}   ${join(folder.environment, '{common,web,processor,notifications,attestor,resolver}.env')}`,
    `    ${dim('Stop')}          Ctrl-C; your data is kept`,
    '',
    '',
  ].join('\n');
}

async function start(): Promise<void> {
  const options = readOptions();
  if (options.help) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const dotEnv = resolve(PROJECT, '.env');
  if (existsSync(dotEnv)) process.loadEnvFile(dotEnv);
  const port = portFrom(options.port ?? process.env.PORT ?? String(DEFAULT_PORT));
  const dataDir = chosenDataDir(options.data);
  const interrupted = new AbortController();
  const progress = terminalProgress();
  let stack: Stack | undefined;
  const stop = async () => {
    if (interrupted.signal.aborted) return;
    interrupted.abort();
    if (!stack) return;
    process.stdout.write('\n  Stopping …\n');
    await stack.stop();
    process.stdout.write('  Stopped. The data is kept.\n');
    process.exit(0);
  };
  // A reader that has closed the pipe (as in `npm start | head`) must not end the service.
  process.stdout.on('error', () => undefined);
  for (const signal of SIGNALS) process.on(signal, () => void stop());
  process.stdout.write(`\n  ${bold('Crossbook')}\n\n`);
  try {
    stack = await startStack({
      dataDir,
      port,
      environment: process.env,
      progress,
      outsideOnly: options.parts,
      // A sandbox on another port may run beside one on the usual port.
      innerPorts: port === DEFAULT_PORT ? 'usual' : 'any',
      signal: interrupted.signal,
      onLine: options.verbose
        ? (part, line) => void process.stdout.write(`${part} ${line}\n`)
        : undefined,
      onIncident: ({ part, text }) => void process.stdout.write(`  ${dim('·')} ${part}: ${text}\n`),
    });
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    process.stdout.write('\n  Stopped during startup. The data is kept.\n');
    process.exit(0);
  } finally {
    progress.close();
  }
  if (options.parts) {
    process.stdout.write(partsScreen(stack));
    return;
  }
  const ownData = process.env.DATABASE_URL === undefined || process.env.DATABASE_URL === '';
  process.stdout.write(closingScreen(stack.description(), dataDir, ownData));
}

try {
  await start();
} catch (error) {
  reportFailure(error);
  process.exit(1);
}
