import { format, stripVTControlCharacters } from 'node:util';
import type { Log } from '../log.ts';
import { EXIT } from './runMain.ts';

const LEVELS = {
  error: 'error',
  warn: 'warn',
  log: 'info',
  info: 'info',
  debug: 'debug',
  trace: 'debug',
} as const;

/**
 * Writes all output of this process as log lines: what libraries such as Next print, Node's
 * warnings and the error that ends the process. Errors lose their private data as in every log
 * line.
 */
export function logEverything(log: Log): void {
  for (const [method, level] of Object.entries(LEVELS)) {
    Object.assign(console, { [method]: (...args: unknown[]) => write(log, level, args) });
  }
  // Node's own listener prints plain text.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning }, 'warning'));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'ended by an error that nothing caught');
    process.exit(EXIT.failed);
  });
}

function write(log: Log, level: (typeof LEVELS)[keyof typeof LEVELS], args: unknown[]): void {
  const err = args.find((argument) => argument instanceof Error);
  const said = args.filter((argument) => argument !== err);
  const text = stripVTControlCharacters(format(...said)).trim();
  log[level](err ? { err } : {}, text || 'an error');
}
