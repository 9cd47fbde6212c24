import { formatMicros, parseMicros } from '#lib/money.ts';
import { StartProblem } from '#sandbox/problem.ts';
import { ALERT_KINDS, type AlertKind } from '#server/domain/admin/alertKinds.ts';
import { listAlerts } from '#server/domain/admin/alerts.ts';
import { resolveAlertAsAdmin } from '#server/domain/admin/resolveAlert.ts';
import { EVERY_MARKET, listSuspensions } from '#server/domain/admin/suspensions.ts';
import { attestPurchase } from '#server/domain/orders/lifecycle/adminActions.ts';
import { resumeTrading, stopTrading } from '#server/domain/reconciliation/adminActions.ts';
import type { PendingProposal } from '#server/domain/settlement/adminActions.ts';
import {
  approveProposal,
  finalizePayout,
  listSettlements,
  prepareVeto,
  proposePayout,
} from '#server/domain/settlement/adminActions.ts';
import { rereadChain } from '#server/processor/forks/rereadChain.ts';
import { bold, dim, green, red } from '../terminal.ts';
import { actOf, argumentOf, type Command, done, type Handler, HELP, iso } from './command.ts';

export const showAlerts: Handler = async (runtime, command) => {
  const alerts = await listAlerts(runtime, { resolvedToo: command.all });
  const lines = alerts.flatMap((alert) => [
    `${alert.resolvedAt ? green('●') : red('●')} ${bold(alert.kind)} ${alert.subject}  ${alert.detail}`,
    `    ${dim(`since ${iso(alert.raisedAt)}, last seen ${iso(alert.lastSeenAt)}`)}`,
    ...(alert.internalDetail ? [`    ${alert.internalDetail}`] : []),
  ]);
  return { data: alerts, lines: lines.length > 0 ? lines : [`${green('●')} No open alerts.`] };
};

export const resolveOne: Handler = async (runtime, command) => {
  const kind = argumentOf(command, 'a kind of alert');
  if (!Object.hasOwn(ALERT_KINDS, kind)) {
    throw new StartProblem(`“${kind}” is not an alert kind.`, Object.keys(ALERT_KINDS).join(', '));
  }
  const [, , subject] = command.positionals;
  await resolveAlertAsAdmin(runtime, { kind: kind as AlertKind, subject, ...actOf(command) });
  return done('The alert is resolved. It returns if its cause persists.');
};

export const showSuspensions: Handler = async (runtime) => {
  const current = await listSuspensions(runtime);
  const lines = current.map(
    (one) =>
      `${bold(one.ticker === EVERY_MARKET ? 'every market' : one.ticker)}  by ${one.suspendedBy} since ${iso(one.suspendedAt)}: ${one.reason}`,
  );
  return { data: current, lines: lines.length > 0 ? lines : ['No market is suspended.'] };
};

export const pauseEverything: Handler = async (runtime, command) => {
  await stopTrading(runtime, { ticker: EVERY_MARKET, ...actOf(command) });
  return done('Trading is paused. Orders not yet sent to the exchange are returned.');
};

export const resumeEverything: Handler = async (runtime, command) => {
  await resumeTrading(runtime, { ticker: EVERY_MARKET, ...actOf(command) });
  return done('Trading is resumed. Individually suspended markets stay suspended.');
};

export const suspendOne: Handler = async (runtime, command) => {
  const ticker = argumentOf(command, 'a ticker');
  await stopTrading(runtime, { ticker, ...actOf(command) });
  return done(`${ticker} accepts no new orders.`);
};

export const liftOne: Handler = async (runtime, command) => {
  const ticker = argumentOf(command, 'a ticker');
  await resumeTrading(runtime, { ticker, ...actOf(command) });
  return done(
    `${ticker} accepts new orders. If the books still differ, the next reconciliation suspends it again; see npm run reconcile -- --accept.`,
  );
};

const pendingText = ({ payoutYesMicros, proposedBy, reason }: PendingProposal) =>
  `${red('●')} another admin must confirm that YES pays ${formatMicros(payoutYesMicros)}, as ${proposedBy} proposed: ${reason}`;

export const showSettlements: Handler = async (runtime) => {
  const settlements = await listSettlements(runtime, 200);
  const lines = settlements.flatMap((one) => [
    `${bold(one.ticker)}  ${one.state}, YES pays ${formatMicros(one.payoutYesMicros)}` +
      `  ${dim(`settled ${iso(one.settledAt)}${one.finalizableAt ? `, can be final from ${iso(one.finalizableAt)}` : ''}`)}`,
    ...(one.pending ? [`    ${pendingText(one.pending)}`] : []),
  ]);
  return { data: settlements, lines: lines.length > 0 ? lines : ['No resolved markets.'] };
};

export const proposeOne: Handler = async (runtime, command) => {
  const ticker = argumentOf(command, 'a ticker');
  const outcome = await proposePayout(runtime, {
    ticker,
    payoutYesMicros: command.pays === undefined ? undefined : parseMicros(command.pays),
    ...actOf(command),
  });
  return done(
    outcome === 'sent'
      ? 'A processor with the resolver’s key will propose it.'
      : 'This differs from the exchange’s result, so another admin must confirm it: npm run ops -- confirm <ticker> --pays <dollars> --why "…"',
  );
};

export const confirmOne: Handler = async (runtime, command) => {
  const ticker = argumentOf(command, 'a ticker');
  if (command.pays === undefined) {
    throw new StartProblem('State the payout you confirm: --pays <dollars for YES>.', HELP);
  }
  const payoutYesMicros = parseMicros(command.pays);
  await approveProposal(runtime, { ticker, payoutYesMicros, ...actOf(command) });
  return done('Confirmed. A processor with the resolver’s key will propose it.');
};

export const finalizeOne: Handler = async (runtime, command) => {
  const ticker = argumentOf(command, 'a ticker');
  await finalizePayout(runtime, { ticker, ...actOf(command) });
  return done('A processor with the resolver’s key will finalize it.');
};

export const vetoOne: Handler = async (runtime, command: Command) => {
  const ticker = argumentOf(command, 'a ticker');
  const call = await prepareVeto(runtime, { ticker, ...actOf(command) });
  return {
    data: call,
    lines: [
      'To be sent by PAUSER or ADMIN, whose keys the service does not have:',
      `  to    ${call.to}`,
      `  data  ${call.data}`,
    ],
  };
};

export const attestOne: Handler = async (runtime, command) => {
  const ticker = argumentOf(command, 'a ticker');
  const sides = await attestPurchase(runtime, { ticker, ...actOf(command) });
  return done(`A processor with the attestor’s key will attest ${sides} side(s).`);
};

export const rereadOne: Handler = async (runtime, command) => {
  const after = argumentOf(command, 'a block');
  if (!/^\d+$/.test(after))
    throw new StartProblem(`“${after}” is not a block number.`, 'For example 0 or 12345.');
  const done = await rereadChain(runtime, { after: BigInt(after), ...actOf(command) });
  const text = done
    ? `The chain was read again after block ${after}; ${done.reopenedOrders} orders were taken back to an earlier stage.`
    : 'The processors are still reading. Check that one is running.';
  return { data: done ?? null, lines: [`${done ? green('●') : red('●')} ${text}`] };
};
