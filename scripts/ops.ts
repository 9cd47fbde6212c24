import { MicrosError } from '#lib/money.ts';
import { StartProblem } from '#sandbox/problem.ts';
import { NotAllowedError } from '#server/domain/admin/notAllowed.ts';
import { closeRuntime, openRuntime } from '#server/runtime.ts';
import { operators } from './admin/admins.ts';
import { type Handler, readCommand } from './admin/command.ts';
import { limitOne, showLimits, unlimitOne } from './admin/limits.ts';
import * as markets from './admin/markets.ts';
import { listIntents, refundIntent, retryIntent, showAudit, showIntent } from './admin/orders.ts';
import { eraseData, exportData } from './admin/personalData.ts';
import { openService } from './serviceConfig.ts';
import { reportFailure } from './terminal.ts';

const USAGE = `Looks after the service by hand: npm run ops -- <command> [options]
Intents
  list [--all]                     intents that fail, wait too long or are past their time
  show <intent>                    everything that is known of one
  retry <intent> --why <text>      work on it now; always safe
  refund <intent> --why <text>     send its input back; only while the exchange has not been
                                   asked, or provably does not know it
Trading
  pause | resume --why <text>      take no new orders anywhere; take them again
  suspensions                      markets that take no new orders
  suspend | lift <ticker> --why <text>
  limits                           how much may be bought
  limit <key|account|market> <subject or "*"> --why <text>
        [--order <USDC>] [--day <USDC>] [--exposure <USDC>] [--open <orders>]
  unlimit <key|account|market> <subject or "*"> --why <text>
Settlement
  settlements                      markets the exchange has settled, and how far the vault is
  propose <ticker> [--pays <dollars for YES>] --why <text>
  confirm <ticker> --pays <dollars for YES> --why <text>
                                   as a second admin, a payout that differs from the exchange's
  finalize <ticker> --why <text>
  veto <ticker> --why <text>       prints the call that PAUSER or ADMIN must send
  attest <ticker> --why <text>     say on chain anew what stands behind its tokens
Chain
  reread <block> --why <text>      read the chain again after this block (0: all of it) and bring
                                   every order, settlement and transfer up to what it says
People
  alerts [--all]                   what needs attention, with what only operators may read
  resolve-alert <kind> [subject] --why <text>
  operators                        who may use /operator
  operators add <name> [--role watch|act] [--expires <moment>] --why <text>
  operators revoke <name> --why <text>
  export-data <wallet>             everything personal that is kept about a wallet
  erase-data <wallet> --why <text> forget it; orders and books stay
  audit [subject]                  who did what
Options: --as <name> (otherwise the user of the operating system), --json, --data <folder>`;

const CLOSE_MS = 2_000;

const HANDLERS: Record<string, Handler> = {
  list: listIntents,
  show: showIntent,
  retry: retryIntent,
  refund: refundIntent,
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
  else if (error instanceof MicrosError)
    reportFailure(new StartProblem(`An amount is not one: ${error.message}`, 'As in 12.50.'));
  else reportFailure(error);
  process.exit(1);
}
