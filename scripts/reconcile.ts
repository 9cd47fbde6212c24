import { userInfo } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { formatMicros } from '#lib/money.ts';
import { StartProblem } from '#sandbox/problem.ts';
import { listSuspensions } from '#server/domain/admin/suspensions.ts';
import { type HeldRoom, readHeldRoom } from '#server/domain/orders/lifecycle/room/reserveRoom.ts';
import { acceptDifferences } from '#server/domain/reconciliation/adminActions.ts';
import {
  DIFFERENCE_KINDS,
  type Difference,
  excessMicros,
  toStored,
} from '#server/domain/reconciliation/difference.ts';
import { reconcile } from '#server/domain/reconciliation/reconcile.ts';
import { catchUpWithChain } from '#server/processor/watchers/readers.ts';
import { closeRuntime, openRuntime, type Runtime } from '#server/runtime.ts';
import { openService } from './serviceConfig.ts';
import { bold, dim, green, red, reportFailure } from './terminal.ts';

const USAGE = `Compares books, exchange and chain: npm run reconcile -- [options]
  --json              the result as JSON
  --accept <kind>     accept current differences of this kind as explained
  --note <text>       why; required with --accept
  --as <name>         who; otherwise the user of the operating system
  --data <folder>     the sandbox's folder (default .data, or CROSSBOOK_DATA)
Exit code 0: no differences. 1: differences. 2: the comparison failed.`;

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        json: { type: 'boolean', default: false },
        accept: { type: 'string' },
        note: { type: 'string' },
        as: { type: 'string' },
        data: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    throw new StartProblem(error instanceof Error ? error.message : String(error), USAGE);
  }
}

type Options = ReturnType<typeof readOptions>;

async function main(options: Options): Promise<number> {
  if (options.help) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  checkAccept(options);
  const service = await openService(options.data);
  try {
    const config = { ...service.config, logLevel: 'silent' as const };
    const runtime = await openRuntime(config, 'tool');
    try {
      if (!(await catchUpWithChain(runtime))) {
        throw new StartProblem('Reading the chain timed out.', 'Try again.');
      }
      return await compareAndReport(runtime, options);
    } finally {
      await closeRuntime(runtime);
    }
  } finally {
    await service.release();
  }
}

function checkAccept({ accept, note }: Options): void {
  if (accept === undefined) return;
  if (!Object.hasOwn(DIFFERENCE_KINDS, accept)) {
    throw new StartProblem(
      `“${accept}” is not a kind of difference.`,
      `Kinds: ${Object.keys(DIFFERENCE_KINDS).join(', ')}`,
    );
  }
  if (!note) throw new StartProblem('Accepting needs a reason.', 'Give it with --note "<text>".');
}

async function compareAndReport(runtime: Runtime, options: Options): Promise<number> {
  let run = await reconcile(runtime, delay);
  if (options.accept !== undefined && run.status === 'differences') {
    const accepted = run.differences.filter((one) => one.kind === options.accept);
    const by = options.as ?? userInfo().username;
    await acceptDifferences(runtime, { differences: accepted, by, note: options.note ?? '' });
    run = await reconcile(runtime, delay);
  }
  const suspended = (await listSuspensions(runtime)).map((one) => one.ticker);
  const held = await readHeldRoom(runtime.database.orm);
  const { status, differences, suspicions, cost, failure } = run;
  if (options.json) {
    const result = {
      status,
      differences: differences.map(toStored),
      suspicions: suspicions.map(toStored),
      suspendedMarkets: suspended,
      reservedRoom: {
        buyUsdc: formatMicros(held.buy.usdcMicros),
        sellUsdc: formatMicros(held.sell.usdcMicros),
      },
      cost,
      failure,
    };
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  } else {
    process.stdout.write(`${report(run, suspended, held)}\n`);
  }
  if (status === 'failing') return 2;
  return status === 'ok' ? 0 : 1;
}

function report(
  run: Awaited<ReturnType<typeof reconcile>>,
  suspended: string[],
  { buy, sell }: HeldRoom,
): string {
  const { status, differences, suspicions, cost, failure } = run;
  const lines = [
    '',
    status === 'failing'
      ? `  ${red('●')} ${bold('Not compared')}: ${failure}`
      : differences.length === 0
        ? `  ${green('●')} ${bold('Nothing differs')}: books, exchange and chain agree`
        : `  ${red('●')} ${bold(`${differences.length} difference(s)`)}`,
    ...differences.flatMap(paragraph),
  ];
  if (suspicions.length > 0) {
    lines.push(
      '',
      `  ${dim('Seen once, possibly still in transit:')}`,
      ...suspicions.flatMap(paragraph),
    );
  }
  if (suspended.length > 0) lines.push('', `  No new orders on: ${suspended.join(', ')}`);
  lines.push(
    '',
    `  Room reserved at the vault: ${formatMicros(buy.usdcMicros)} USDC for ${buy.orders} purchases, ${formatMicros(sell.usdcMicros)} USDC for ${sell.orders} sales`,
    `  ${dim(`${cost.queries} queries, ${cost.rpcCalls} calls to the chain, ${cost.exchangeCalls} to the exchange`)}`,
    '',
  );
  return lines.join('\n');
}

function paragraph(difference: Difference): string[] {
  const excess = excessMicros(difference);
  const sign = excess > 0n ? '+' : '';
  return [
    '',
    `    ${bold(difference.kind)}  ${difference.subject}`,
    `      ${DIFFERENCE_KINDS[difference.kind]}`,
    `      expected ${signedText(difference.expectedMicros)}, found ${signedText(difference.actualMicros)} (${sign}${signedText(excess)})`,
    `      ${dim(difference.explanation)}`,
    ...(difference.tickers.length > 0 ? [`      market ${difference.tickers.join(', ')}`] : []),
    ...(difference.orderIds.length > 0 ? [`      orders ${difference.orderIds.join(', ')}`] : []),
  ];
}

function signedText(micros: bigint): string {
  return micros < 0n ? `-${formatMicros(-micros)}` : formatMicros(micros);
}

try {
  process.exit(await main(readOptions()));
} catch (error) {
  reportFailure(error);
  process.exit(2);
}
