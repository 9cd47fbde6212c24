import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { StartProblem } from '#sandbox/problem.ts';
import type { Runtime } from '#server/runtime.ts';
import { green } from '../terminal.ts';

/** The arguments after `npm run ops --`. */
export type Command = ReturnType<typeof readCommand>;

/** The output: an object for --json, lines for people. */
export type Reply = { data: unknown; lines: string[] };

export type Handler = (runtime: Runtime, command: Command) => Promise<Reply>;

export const HELP = 'npm run ops -- --help shows the commands.';

export function readCommand() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        all: { type: 'boolean', default: false },
        why: { type: 'string' },
        as: { type: 'string' },
        order: { type: 'string' },
        day: { type: 'string' },
        exposure: { type: 'string' },
        open: { type: 'string' },
        pays: { type: 'string' },
        role: { type: 'string' },
        expires: { type: 'string' },
        json: { type: 'boolean', default: false },
        data: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    return { ...values, positionals };
  } catch (error) {
    throw new StartProblem(error instanceof Error ? error.message : String(error), HELP);
  }
}

/** The nth word after the command. @throws {StartProblem} */
export function argumentOf(command: Command, what: string, index = 1): string {
  const argument = command.positionals[index];
  if (argument === undefined) throw new StartProblem(`The command needs ${what}.`, HELP);
  return argument;
}

export function orderIdOf(command: Command): string {
  const id = argumentOf(command, 'an order ID');
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return id;
  throw new StartProblem(`“${id}” is not an order ID.`, 'npm run ops -- list shows them.');
}

export function whyOf({ why }: Command): string {
  if (!why?.trim())
    throw new StartProblem('State a reason for the audit log: --why "<text>".', HELP);
  return why.trim();
}

export function whoOf(command: Command): string {
  return command.as ?? userInfo().username;
}

/** The admin and the reason, which every action requires. */
export function actOf(command: Command): { by: string; reason: string } {
  return { by: whoOf(command), reason: whyOf(command) };
}

export function done(text: string): Reply {
  return { data: { ok: true, text }, lines: [`${green('●')} ${text}`] };
}

export function iso(date: Date): string {
  return date.toISOString();
}
