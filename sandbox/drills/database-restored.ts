import assert from 'node:assert/strict';
import { createTrader, findLiquidMarket, readHoldings } from '#sandbox/testing/trader.ts';
import type { Drill } from './drill.ts';
import {
  expectCompleted,
  placeBuy,
  placeWithdrawal,
  signInAgain,
  untilRecovered,
} from './orders.ts';

export const databaseRestored: Drill = {
  name: 'database-restored',
  async play(desk) {
    const trader = await createTrader(desk.sandbox());
    const ticker = await findLiquidMarket(trader);
    await expectCompleted(trader, await placeBuy(desk, trader, ticker, 3));
    const backup = desk.file('backup');
    await desk.run('npm run backup -- --to <folder>', { folder: backup });
    desk.say('backed up');

    const forgotten = await placeBuy(desk, trader, ticker, 4);
    const before = await expectCompleted(trader, forgotten);
    await expectCompleted(
      trader,
      await placeWithdrawal(desk, trader, '2.5', trader.wallet.address),
    );
    const holdings = () => readHoldings(desk.sandbox(), trader.account, { ticker, side: 'yes' });
    const held = await holdings();
    desk.say('traded on after the backup; now the database is lost');

    await desk.restart(async () => {
      const restored = await desk.run('npm run restore -- <folder>', { folder: backup });
      assert.match(restored.output, /The database is as of/);
    });
    // Sign-ins are those of the backup: whoever came later signs in anew.
    const again = await signInAgain(desk, trader);
    await untilRecovered(again, forgotten);
    const after = await expectCompleted(again, forgotten);
    assert.deepEqual(
      [after.filledBaseQuantity, after.quoteAmount, after.transactionHash],
      [before.filledBaseQuantity, before.quoteAmount, before.transactionHash],
    );
    assert.deepEqual(await holdings(), held, 'nobody has more or less than before');
    desk.say('the order that the backup does not know is there again, as it was');

    await desk.untilStatus(
      'the recovery is over',
      ({ alerts }) => !alerts.some(({ kind }) => kind === 'database_restored'),
    );
    const audit = await desk.run('npm run ops -- audit database');
    assert.match(audit.output, /notice_restore/);
    assert.match(audit.output, /recover_after_restore/);
    await expectCompleted(again, await placeBuy(desk, again, ticker));
    desk.say('the restore is in the audit trail, and trading goes on');
  },
};
