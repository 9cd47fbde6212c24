import { MicrosError } from '#lib/money.ts';
import { StartProblem } from '#sandbox/problem.ts';
import { NotAllowedError } from '#server/domain/admin/notAllowed.ts';
import { closeRuntime, openRuntime } from '#server/runtime.ts';
import { operators } from './admin/admins.ts';
import { type Handler, readCommand } from './admin/command.ts';
import { limitOne, showLimits, unlimitOne } from './admin/limits.ts';
import * as markets from './admin/markets.ts';
import { listOrderRows, refundOne, retryOne, showAudit, showOrder } from './admin/orders.ts';
import { eraseData, exportData } from './admin/personalData.ts';
import { showShards } from './admin/shards.ts';
import { openService } from './serviceConfig.ts';
import { reportFailure } from './terminal.ts';

const USAGE = `Operates the service from the command line: npm run ops -- <command> [options]
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

const HANDLERS: Record<string, Handler> = {
  shards: showShards,
  list: listOrderRows,
  show: showOrder,
  retry: retryOne,
  refund: refundOne,
  pause: markets.pauseEverything,
  resume: markets.resumeEverything,
  suspensions: markets.showSuspensions,
  suspend: markets.suspendOne,
  lift: markets.liftOne,
  limits: showLimits,
  limit: limitOne,
  unlimit: unlimitOne,
  settlements: markets.showSettlements,
  propose: markets.proposeOne,
  confirm: markets.confirmOne,
  finalize: markets.finalizeOne,
  veto: markets.vetoOne,
  attest: markets.attestOne,
  reread: markets.rereadOne,
  alerts: markets.showAlerts,
  'resolve-alert': markets.resolveOne,
  operators,
  'export-data': exportData,
  'erase-data': eraseData,
  audit: showAudit,
};

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
    const runtime = await openRuntime(config, 'tool');
    try {
      const { data, lines } = await handler(runtime, command);
      const text = command.json ? JSON.stringify(data, bigintsAsText, 2) : lines.join('\n');
      process.stdout.write(`${text}\n`);
    } finally {
      await closeRuntime(runtime);
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
  else if (error instanceof MicrosError)
    reportFailure(
      new StartProblem(`An amount is not valid: ${error.message}`, 'For example 12.50.'),
    );
  else reportFailure(error);
  process.exit(1);
}
