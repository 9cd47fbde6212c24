import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import type { ZodError } from 'zod';
import { StartProblem } from '#sandbox/problem.ts';
import type { ActionDeps, AdminAction } from '#server/api/admin/actions.ts';
import { problemsOf } from '#server/api/middleware/input.ts';
import { green } from '../terminal.ts';

export const USAGE = `Operates the service from the command line: npm run ops -- <command> [options]
Orders
  list [--all]                     orders that fail, are overdue or past expiry
  show <order>                     everything known about one order
  retry <order> --why <text>       retry it now; always safe
  refund <order> --why <text>      return its funds; only if the exchange provably does
                                   not have the order
Trading
  pause | resume --why <text>      stop and resume all new orders
  suspensions                      markets that accept no new orders
  suspend | lift <ticker> --why <text>
  limits                           buying limits
  limit <key|account|market> <subject or "*"> --why <text>
        [--order <USDC>] [--day <USDC>] [--exposure <USDC>] [--open <orders>]
  unlimit <key|account|market> <subject or "*"> --why <text>
Settlement
  settlements                      resolved markets and their state at the vault
  propose <ticker> [--pays <dollars for YES>] --why <text>
  confirm <ticker> --pays <dollars for YES> --why <text>
                                   as a second admin, a payout that differs from the exchange's
  finalize <ticker> --why <text>
  veto <ticker> --why <text>       prints the call that PAUSER or ADMIN must send
  attest <ticker> --why <text>     attest on chain again what backs its tokens
Chain
  reread <block> --why <text>      read the chain again after this block (0: from the
                                   start) and update every order, settlement and transfer
Exchange
  shards                           cash and pauses per shard, and open transfers
People
  alerts [--all]                   open alerts, with details for admins
  resolve-alert <kind> [subject] --why <text>
  operators                        admins with access to /operator
  operators add <name> [--role watch|act] [--expires <moment>] --why <text>
  operators revoke <name> --why <text>
  export-data <wallet>             stored personal data of a wallet
  erase-data <wallet> --why <text> erase it; orders and books are kept
  audit [subject]                  recorded actions
Options: --as <name> (otherwise the user of the operating system), --json, --data <folder>`;

/** The arguments after `npm run ops --`. */
export type Command = ReturnType<typeof readCommand>;

/** The output: an object for --json, lines for people. */
export type Reply = { data: unknown; lines: string[] };

export const HELP = 'npm run ops -- --help shows the commands.';

/** The options that give fields of an action's input. */
const OPTIONS = {
  maxOrder: 'order',
  maxDay: 'day',
  maxExposure: 'exposure',
  maxOpenOrders: 'open',
  payoutYes: 'pays',
  role: 'role',
  expiresAt: 'expires',
} as const;

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

/** Runs an action on what the command line gives. `words` names the fields of what follows `name`. */
export async function runAction(
  deps: ActionDeps,
  act: AdminAction,
  { name, words, command }: { name: string; words: readonly string[]; command: Command },
): Promise<Reply> {
  if (!command.why?.trim()) {
    throw new StartProblem('State a reason for the audit log: --why "<text>".', HELP);
  }
  const given: Record<string, unknown> = { reason: command.why };
  const rest = command.positionals.slice(name.split(' ').length);
  for (const [index, word] of words.entries()) {
    const field = word.replace('?', '');
    if (rest[index] !== undefined) given[field] = rest[index];
    else if (field === word) throw new StartProblem(`The command needs <${word}>.`, HELP);
  }
  for (const [field, option] of Object.entries(OPTIONS)) {
    const text = command[option];
    // A limit that is not given is none.
    const value = text ?? (field.startsWith('max') ? null : undefined);
    const isCount = option === 'open' && /^\d+$/.test(text ?? '');
    if (field in act.input.shape) given[field] = isCount ? Number(value) : value;
  }
  const parsed = act.input.safeParse(given, { reportInput: true });
  if (!parsed.success) throw new StartProblem(textOf(parsed.error), HELP);
  const result = await act.run(deps, { ...parsed.data, by: command.as ?? userInfo().username });
  const text = act.done(parsed.data, result);
  const more = typeof result === 'object' ? result : {};
  return { data: { ok: true, text, ...more }, lines: [`${green('●')} ${text}`] };
}

function textOf(error: ZodError): string {
  const options: Record<string, string> = { ...OPTIONS, reason: 'why' };
  const problems = problemsOf('body', error).map(({ pointer, detail }) => {
    const field = pointer.slice(1);
    return `${options[field] ? `--${options[field]}` : `<${field}>`} ${detail}.`;
  });
  return problems.join(' ');
}
