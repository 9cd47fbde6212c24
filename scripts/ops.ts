import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { StartProblem } from '#sandbox/problem.ts';
import { listAlerts, resolveAlert } from '#server/alerts/alerts.ts';
import { ALERT_KINDS, type AlertKind } from '#server/alerts/kinds.ts';
import { readAudit, recordAudit } from '#server/operations/audit.ts';
import {
  isDeadLetter,
  listProblemOrders,
  readWholeStory,
} from '#server/operations/problemOrders.ts';
import { NotAllowedError, refundByHand, retryByHand } from '#server/orders/byHand.ts';
import { liftSuspensions, listSuspensions, suspendMarket } from '#server/reconcile/suspensions.ts';
import { closeRuntime, openRuntime, type Runtime } from '#server/runtime.ts';
import { openService } from './serviceConfig.ts';
import { bold, dim, green, red, reportFailure } from './terminal.ts';

const USAGE = `Looks after intents by hand: npm run ops -- <command> [options]
  list [--all]                     intents that fail, wait too long or are past their time
  show <intent>                    everything that is known of one
  retry <intent> --why <text>      work on it now; always safe
  refund <intent> --why <text>     send its input back; only while the exchange has not been
                                   asked, or provably does not know it
  alerts [--all]                   what needs attention, with what only operators may read
  resolve-alert <kind> [subject] --why <text>
  suspensions                      markets that take no new orders
  suspend <ticker> --why <text>    take no new orders of a market
  lift <ticker> --why <text>       take them again
  audit [subject]                  who did what
Options: --as <name> (otherwise the user of the operating system), --json, --data <folder>`;

const CLOSE_MS = 2_000;

function readCommand() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        all: { type: 'boolean', default: false },
        why: { type: 'string' },
        as: { type: 'string' },
        json: { type: 'boolean', default: false },
        data: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    return { ...values, positionals };
  } catch (error) {
    throw new StartProblem(error instanceof Error ? error.message : String(error), USAGE);
  }
}

type Command = ReturnType<typeof readCommand>;

/** Answers what to print: an object for --json, lines for people. */
type Answer = { data: unknown; lines: string[] };

type Handler = (runtime: Runtime, command: Command) => Promise<Answer>;

const HANDLERS: Record<string, Handler> = {
  list: listIntents,
  show: showIntent,
  retry: async (runtime, command) => {
    const id = intentOf(command);
    await retryByHand(runtime, { id, by: whoOf(command), reason: whyOf(command) });
    return done(`${id} is due now.`);
  },
  refund: async (runtime, command) => {
    const id = intentOf(command);
    await refundByHand(runtime, { id, by: whoOf(command), reason: whyOf(command) });
    return done(`${id} is being refunded.`);
  },
  alerts: showAlerts,
  'resolve-alert': resolveOne,
  suspensions: async (runtime) => {
    const standing = await listSuspensions(runtime);
    const lines = standing.map(
      (one) =>
        `${bold(one.ticker)}  by ${one.suspendedBy} since ${iso(one.suspendedAt)}: ${one.reason}`,
    );
    return { data: standing, lines: lines.length > 0 ? lines : ['No market is suspended.'] };
  },
  suspend: suspendOne,
  lift: liftOne,
  audit: showAudit,
};

async function listIntents(runtime: Runtime, command: Command): Promise<Answer> {
  const intents = await listProblemOrders(runtime, { all: command.all });
  const lines = intents.map((one) => {
    const dead = isDeadLetter(one) ? red(' dead letter') : '';
    const past = (one.pastExpirySeconds ?? 0) > 0 ? `, ${one.pastExpirySeconds} s past expiry` : '';
    return (
      `${bold(one.id)}  ${one.kind} ${one.ticker ?? ''} ${one.status}/${one.stage}${dead}\n` +
      `    ${dim(`${one.failures} failures, ${one.overdueSeconds} s overdue${past}, ${one.chainTries} tries on chain`)}`
    );
  });
  const none = command.all ? 'No intent is open.' : 'Every open intent gets on.';
  return { data: intents, lines: lines.length > 0 ? lines : [`${green('●')} ${none}`] };
}

async function showIntent(runtime: Runtime, command: Command): Promise<Answer> {
  const id = intentOf(command);
  const story = await readWholeStory(runtime, id);
  if (story.intent?.length === 0) throw new StartProblem(`There is no intent ${id}.`, USAGE);
  const lines = Object.entries(story).flatMap(([part, rows]) => [
    bold(part),
    ...rows.map((row) => `  ${JSON.stringify(row)}`),
  ]);
  return { data: story, lines };
}

async function showAlerts(runtime: Runtime, command: Command): Promise<Answer> {
  const alerts = await listAlerts(runtime, { resolvedToo: command.all });
  const lines = alerts.flatMap((alert) => [
    `${alert.resolvedAt ? green('●') : red('●')} ${bold(alert.kind)} ${alert.subject}  ${alert.detail}`,
    `    ${dim(`since ${iso(alert.raisedAt)}, last seen ${iso(alert.lastSeenAt)}`)}`,
    ...(alert.internalDetail ? [`    ${alert.internalDetail}`] : []),
  ]);
  return { data: alerts, lines: lines.length > 0 ? lines : [`${green('●')} No alert is open.`] };
}

async function resolveOne(runtime: Runtime, command: Command): Promise<Answer> {
  const kind = argumentOf(command, 'a kind of alert');
  if (!(kind in ALERT_KINDS)) {
    throw new StartProblem(`“${kind}” is no kind of alert.`, Object.keys(ALERT_KINDS).join(', '));
  }
  const [, , subject] = command.positionals;
  const alert = { kind: kind as AlertKind, ...(subject === undefined ? {} : { subject }) };
  const reason = whyOf(command);
  await runtime.database.orm.transaction(async (tx) => {
    const deps = { database: { orm: tx }, log: runtime.log };
    if (!(await resolveAlert(deps, alert))) throw new StartProblem('No such alert is open.', USAGE);
    const subjectText = [kind, subject].filter(Boolean).join(' ');
    await recordAudit(deps, {
      actor: whoOf(command),
      action: 'resolve_alert',
      subject: subjectText,
      reason,
    });
  });
  return done('The alert is resolved; it comes back if its cause does.');
}

async function suspendOne(runtime: Runtime, command: Command): Promise<Answer> {
  const ticker = argumentOf(command, 'a ticker');
  const by = whoOf(command);
  const reason = whyOf(command);
  await runtime.database.orm.transaction(async (tx) => {
    const deps = { database: { orm: tx } };
    await suspendMarket(deps, { ticker, reason: 'An operator has suspended it.', by });
    await recordAudit(deps, { actor: by, action: 'suspend_market', subject: ticker, reason });
  });
  return done(`${ticker} takes no new orders.`);
}

async function liftOne(runtime: Runtime, command: Command): Promise<Answer> {
  const ticker = argumentOf(command, 'a ticker');
  const by = whoOf(command);
  const reason = whyOf(command);
  await runtime.database.orm.transaction(async (tx) => {
    const deps = { database: { orm: tx } };
    const standing = await listSuspensions(deps, ticker);
    if (standing.length === 0) throw new StartProblem(`${ticker} is not suspended.`, USAGE);
    await liftSuspensions(deps, { ids: standing.map((one) => one.id), by });
    await recordAudit(deps, {
      actor: by,
      action: 'lift_suspension',
      subject: ticker,
      reason,
      before: standing,
    });
  });
  return done(
    `${ticker} takes new orders. The next comparison suspends it again if it still differs; see npm run reconcile -- --accept.`,
  );
}

async function showAudit(runtime: Runtime, command: Command): Promise<Answer> {
  const [, subject] = command.positionals;
  const entries = await readAudit(runtime, {
    limit: 200,
    ...(subject === undefined ? {} : { subject }),
  });
  const lines = entries.map(
    (one) => `${dim(iso(one.at))}  ${bold(one.actor)} ${one.action} ${one.subject}: ${one.reason}`,
  );
  return { data: entries, lines: lines.length > 0 ? lines : ['Nobody has done anything.'] };
}

function argumentOf(command: Command, what: string): string {
  const [, argument] = command.positionals;
  if (argument === undefined) throw new StartProblem(`The command needs ${what}.`, USAGE);
  return argument;
}

function intentOf(command: Command): string {
  const id = argumentOf(command, 'an intent');
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return id;
  throw new StartProblem(`“${id}” is no id of an intent.`, 'npm run ops -- list shows them.');
}

function whyOf({ why }: Command): string {
  if (!why?.trim()) throw new StartProblem('Say why, for the audit trail: --why "<text>".', USAGE);
  return why.trim();
}

function whoOf(command: Command): string {
  return command.as ?? userInfo().username;
}

function done(text: string): Answer {
  return { data: { ok: true, text }, lines: [`${green('●')} ${text}`] };
}

function iso(date: Date): string {
  return date.toISOString();
}

function bigintsAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

async function main(): Promise<void> {
  const command = readCommand();
  const handler = HANDLERS[command.positionals[0] ?? ''];
  if (command.help || !handler) {
    process.stdout.write(`${USAGE}\n`);
    if (!command.help) process.exitCode = 1;
    return;
  }
  const service = await openService(command.data);
  const config = { ...service.config, logLevel: 'silent' as const };
  try {
    const runtime = await openRuntime(config, { name: 'tool', maintainQueue: false });
    try {
      const { data, lines } = await handler(runtime, command);
      const text = command.json ? JSON.stringify(data, bigintsAsText, 2) : lines.join('\n');
      process.stdout.write(`${text}\n`);
    } finally {
      await closeRuntime(runtime, CLOSE_MS);
    }
  } finally {
    await service.release();
  }
}

try {
  await main();
  process.exit();
} catch (error) {
  if (error instanceof NotAllowedError)
    reportFailure(new StartProblem(error.message, 'Nothing was changed.'));
  else reportFailure(error);
  process.exit(1);
}
