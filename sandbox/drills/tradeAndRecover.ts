import assert from 'node:assert/strict';
import {
  createTrader,
  findLiquidMarket,
  readHoldings,
  type Trader,
} from '#sandbox/testing/trader.ts';
import type { AdminConsole } from './adminConsole.ts';
import {
  expectCompleted,
  placeBuy,
  placeWithdrawal,
  signInAgain,
  untilRecovered,
} from './orders.ts';

/**
 * Trades, backs up, trades on, and puts the backup in place: what the backup lacks must come back
 * unchanged from chain and exchange, and trading must go on.
 * @param steps.backUp makes the copy, or remembers the moment
 * @param steps.restore puts the database of that time in place while the service is stopped
 * @returns the trader, signed in after the restore
 */
export async function tradeAndRecover(
  adminConsole: AdminConsole,
  steps: { backUp: () => Promise<void>; restore: () => Promise<void> },
): Promise<Trader> {
  const trader = await createTrader(adminConsole.sandbox());
  const ticker = await findLiquidMarket(trader);
  await expectCompleted(trader, await placeBuy(adminConsole, trader, ticker, 3));
  await steps.backUp();

  const dropped = await placeBuy(adminConsole, trader, ticker, 4);
  const before = await expectCompleted(trader, dropped);
  await expectCompleted(
    trader,
    await placeWithdrawal(adminConsole, trader, '2.5', trader.wallet.address),
  );
  const holdings = () =>
    readHoldings(adminConsole.sandbox(), trader.account, { ticker, side: 'yes' });
  const held = await holdings();
  adminConsole.say('traded on after the backup; now the database is lost');

  await adminConsole.restart(steps.restore);
  // Sessions are those of the backup: later ones sign in again.
  const again = await signInAgain(adminConsole, trader);
  await untilRecovered(again, dropped);
  const after = await expectCompleted(again, dropped);
  assert.deepEqual(
    [after.filledBaseQuantity, after.quoteAmount, after.transactionHash],
    [before.filledBaseQuantity, before.quoteAmount, before.transactionHash],
  );
  assert.deepEqual(await holdings(), held, 'a balance differs from before');
  adminConsole.say('the order that is missing from the backup is restored unchanged');

  await adminConsole.untilStatus(
    'the recovery is complete',
    ({ alerts }) => !alerts.some(({ kind }) => kind === 'database_restored'),
  );
  await expectCompleted(again, await placeBuy(adminConsole, again, ticker));
  return again;
}
