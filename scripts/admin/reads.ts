import type { ZodType, z } from 'zod';
import { orderActSchema } from '#lib/api/schemas/admin.ts';
import { formatMicros } from '#lib/money.ts';
import { StartProblem } from '#sandbox/problem.ts';
import type { SavedDeps } from '#server/domain/accounts/saved/savedItems.ts';
import { listAdmins } from '#server/domain/admin/admins.ts';
import { listAlerts } from '#server/domain/admin/alerts.ts';
import { readAudit } from '#server/domain/admin/audit.ts';
import { EVERY_MARKET, listSuspensions } from '#server/domain/admin/suspensions.ts';
import { exportPersonalData } from '#server/domain/compliance/personalData.ts';
import { listLimits } from '#server/domain/limits/limits.ts';
import {
  isDeadLetter,
  listProblemOrders,
  readWholeStory,
} from '#server/domain/orders/lifecycle/backlog.ts';
import { listSettlements } from '#server/domain/settlement/adminActions.ts';
import { bold, dim, green, red } from '../terminal.ts';
import { walletSchema } from './actions.ts';
import { type Command, HELP, type Reply } from './command.ts';
import { showShards } from './shards.ts';

type Read = (deps: SavedDeps, command: Command) => Promise<Reply>;

const iso = (date: Date) => date.toISOString();

/** The word after the command. @throws {StartProblem} */
function wordOf<Schema extends ZodType>(
  { positionals: [, word] }: Command,
  name: string,
  schema: Schema,
): z.output<Schema> {
  if (word === undefined) throw new StartProblem(`The command needs <${name}>.`, HELP);
  const parsed = schema.safeParse(word);
  if (parsed.success) return parsed.data;
  throw new StartProblem(`<${name}> ${parsed.error.issues[0]?.message}.`, HELP);
}

/** The commands that change nothing. */
export const READS: Record<string, Read> = {
  shards: showShards,
  list: async (deps, command) => {
    const intents = await listProblemOrders(deps, { all: command.all });
    const lines = intents.map((one) => {
      const dead = isDeadLetter(one) ? red(' dead letter') : '';
      const past =
        (one.pastExpirySeconds ?? 0) > 0 ? `, ${one.pastExpirySeconds} s past expiry` : '';
      return (
        `${bold(one.id)}  ${one.kind} ${one.ticker ?? ''} ${one.status}/${one.stage}${dead}\n` +
        `    ${dim(`${one.failures} failures, ${one.overdueSeconds} s overdue${past}, ${one.chainTries} tries on chain`)}`
      );
    });
    const none = command.all ? 'No open orders.' : 'No orders need attention.';
    return { data: intents, lines: lines.length > 0 ? lines : [`${green('●')} ${none}`] };
  },
  show: async (deps, command) => {
    const id = wordOf(command, 'order', orderActSchema.shape.id);
    const story = await readWholeStory(deps, id);
    if (story.intent?.length === 0) {
      throw new StartProblem(`No order has the ID ${id}.`, 'npm run ops -- list shows them.');
    }
    const lines = Object.entries(story).flatMap(([part, rows]) => [
      bold(part),
      ...rows.map((row) => `  ${JSON.stringify(row)}`),
    ]);
    return { data: story, lines };
  },
  suspensions: async (deps) => {
    const current = await listSuspensions(deps);
    const lines = current.map(
      (one) =>
        `${bold(one.ticker === EVERY_MARKET ? 'every market' : one.ticker)}  by ${one.suspendedBy} since ${iso(one.suspendedAt)}: ${one.reason}`,
    );
    return { data: current, lines: lines.length > 0 ? lines : ['No market is suspended.'] };
  },
  limits: async (deps) => {
    const limits = await listLimits(deps);
    const usdc = (micros: bigint | null) => (micros === null ? '–' : formatMicros(micros));
    const lines = limits.map(
      (one) =>
        `${bold(`${one.scope} ${one.subject}`)}  per order ${usdc(one.maxOrderUsdcMicros)}, ` +
        `per day ${usdc(one.maxDayUsdcMicros)}, position ${usdc(one.maxExposureUsdcMicros)} USDC, ` +
        `open orders ${one.maxOpenOrders ?? '–'} by ${one.setBy}`,
    );
    return { data: limits, lines: lines.length > 0 ? lines : ['No limits set.'] };
  },
  settlements: async (deps) => {
    const settlements = await listSettlements(deps, 200);
    const lines = settlements.flatMap((one) => [
      `${bold(one.ticker)}  ${one.state}, YES pays ${formatMicros(one.payoutYesMicros)}` +
        `  ${dim(`settled ${iso(one.settledAt)}${one.finalizableAt ? `, can be final from ${iso(one.finalizableAt)}` : ''}`)}`,
      ...(one.pending
        ? [
            `    ${red('●')} another admin must confirm that YES pays ` +
              `${formatMicros(one.pending.payoutYesMicros)}, as ${one.pending.proposedBy} proposed: ${one.pending.reason}`,
          ]
        : []),
    ]);
    return { data: settlements, lines: lines.length > 0 ? lines : ['No resolved markets.'] };
  },
  alerts: async (deps, command) => {
    const alerts = await listAlerts(deps, { resolvedToo: command.all });
    const lines = alerts.flatMap((alert) => [
      `${alert.resolvedAt ? green('●') : red('●')} ${bold(alert.kind)} ${alert.subject}  ${alert.detail}`,
      `    ${dim(`since ${iso(alert.raisedAt)}, last seen ${iso(alert.lastSeenAt)}`)}`,
      ...(alert.internalDetail ? [`    ${alert.internalDetail}`] : []),
    ]);
    return { data: alerts, lines: lines.length > 0 ? lines : [`${green('●')} No open alerts.`] };
  },
  operators: async (deps) => {
    const entries = await listAdmins(deps);
    const lines = entries.map((one) => {
      const end = one.revokedAt ? `revoked ${iso(one.revokedAt)}` : one.hint;
      const until = one.expiresAt ? `, until ${iso(one.expiresAt)}` : '';
      return `${bold(one.name)}  ${one.role}  ${dim(`${end}${until}, by ${one.createdBy}`)}`;
    });
    return { data: entries, lines: lines.length > 0 ? lines : ['No admins.'] };
  },
  'export-data': async (deps, command) => {
    const data = await exportPersonalData(deps, wordOf(command, 'wallet', walletSchema));
    // Always JSON: the recipient is the person it is about.
    return { data, lines: [JSON.stringify(data, null, 2)] };
  },
  audit: async (deps, command) => {
    const [, subject] = command.positionals;
    const entries = await readAudit(deps, {
      limit: 200,
      ...(subject === undefined ? {} : { subject }),
    });
    const lines = entries.map(
      (one) =>
        `${dim(iso(one.at))}  ${bold(one.actor)} ${one.action} ${one.subject}: ${one.reason}`,
    );
    return { data: entries, lines: lines.length > 0 ? lines : ['No actions recorded.'] };
  },
};
