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
  async play(adminConsole) {
    const trader = await createTrader(adminConsole.sandbox());
    const ticker = await findLiquidMarket(trader);
    await expectCompleted(trader, await placeBuy(adminConsole, trader, ticker, 3));
    const backup = adminConsole.file('backup');
    await adminConsole.run('npm run backup -- --to <folder>', { folder: backup });
    adminConsole.say('backed up');

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

    await adminConsole.restart(async () => {
      const restored = await adminConsole.run('npm run restore -- <folder>', { folder: backup });
      assert.match(restored.output, /The database is as of/);
    });
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
    const audit = await adminConsole.run('npm run ops -- audit database');
    assert.match(audit.output, /notice_restore/);
    assert.match(audit.output, /recover_after_restore/);
    await expectCompleted(again, await placeBuy(adminConsole, again, ticker));
    adminConsole.say('the restore is in the audit trail, and trading resumes');
  },
};
