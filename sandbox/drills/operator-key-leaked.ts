import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Hex, parseEther, toFunctionSelector } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { parseMicros } from '#lib/money.ts';
import { controlChainFaults } from '#sandbox/testing/chainFaults.ts';
import {
  createTrader,
  findLiquidMarket,
  readHoldings,
  type Trader,
} from '#sandbox/testing/trader.ts';
import type { AdminConsole } from './adminConsole.ts';
import type { Drill } from './drill.ts';
import { expectCompleted, placeBuy, placeWithdrawal, signInAgain } from './orders.ts';
import { createThief, type Thief } from './thief.ts';

/** Dollars a day that the owner allows to other addresses. */
const DAILY_CAP = '100';

const REVOKE = 'npm run vault -- revoke OPERATOR <address> --key-file <pauser-key>';
const GRANT = 'npm run vault -- grant OPERATOR <new-address> --key-file <admin-key>';

export const operatorKeyLeaked: Drill = {
  name: 'operator-key-leaked',
  async play(adminConsole) {
    const trader = await createTrader(adminConsole.sandbox(), {
      withdrawAnywhere: 'true',
      maxWithdrawPerDay: DAILY_CAP,
    });
    const careful = await createTrader(adminConsole.sandbox());
    const ticker = await findLiquidMarket(trader);
    for (const one of [trader, careful]) {
      await expectCompleted(one, await placeBuy(adminConsole, one, ticker));
    }
    const { chain } = await adminConsole.secrets();
    const [stolen] = chain.operators;
    assert.ok(stolen, 'there is a key to steal');
    const thief = createThief(adminConsole, stolen);
    assert.notEqual(await thief.steal(careful.account, 1n), undefined);
    adminConsole.say('a thief has the key: an account under the usual permission lost nothing');
    await stealUpToTheCap(adminConsole, trader, ticker, thief);

    const alarmed = await adminConsole.untilStatus('the key is used elsewhere', ({ alerts }) =>
      alerts.some(({ kind }) => kind === 'key_used_elsewhere'),
    );
    assert.equal(alarmed.status, 'degraded');
    const alerts = await adminConsole.run('npm run ops -- alerts');
    assert.ok(alerts.output.includes(thief.address), 'the alert names the key');
    adminConsole.say('the theft is noticed, and the alert names the key');

    const underWay = await Promise.all(
      Array.from({ length: 6 }, () => placeBuy(adminConsole, trader, ticker, 1)),
    );
    const withdrawal = await placeWithdrawal(adminConsole, trader, '1', trader.wallet.address);
    // In the sandbox one key has both roles.
    const keyFile = adminConsole.file('admin.key', chain.admin);
    const keys = { 'pauser-key': keyFile, 'admin-key': keyFile, address: thief.address };
    await adminConsole.run(REVOKE, keys);
    for (const id of [...underWay, withdrawal]) await expectCompleted(trader, id);
    assert.notEqual(await thief.steal(trader.account, 1n), undefined, 'the key opens nothing');
    adminConsole.say(
      'revoked: the thief gets nothing more; orders under way were done by the other key',
    );

    await adminConsole.untilStatus('the old key is refused', (status) =>
      status.alerts.some(({ kind }) => kind === 'key_refused'),
    );
    await replaceKey(adminConsole, stolen, keys);
    const again = await signInAgain(adminConsole, trader);
    const status = await adminConsole.run('npm run vault -- status');
    assert.ok(!status.output.includes(thief.address), 'the old key has no role');
    for (const kind of ['key_used_elsewhere', 'key_refused']) {
      await adminConsole.run(
        'npm run ops -- resolve-alert <kind> <address> --why "revoked and replaced"',
        {
          ...keys,
          kind,
        },
      );
    }
    const last = await Promise.all(
      Array.from({ length: 4 }, () => placeBuy(adminConsole, again, ticker, 1)),
    );
    for (const id of last) await expectCompleted(again, id);
    await adminConsole.untilStatus('no alert is open', ({ alerts: open }) => open.length === 0);
    adminConsole.say('the new key works, no order was lost');
  },
};

/** The thief gets exactly what the caps allow. */
async function stealUpToTheCap(
  adminConsole: AdminConsole,
  trader: Trader,
  ticker: string,
  thief: Thief,
): Promise<void> {
  const capMicros = parseMicros(DAILY_CAP);
  const outcome = { ticker, side: 'yes' } as const;
  const before = await readHoldings(adminConsole.sandbox(), trader.account, outcome);
  assert.ok(before.usdcMicros > capMicros, 'there is more than the cap to steal');
  assert.notEqual(await thief.steal(trader.account, capMicros + 1n), undefined);
  assert.equal(await thief.steal(trader.account, capMicros), undefined);
  assert.notEqual(await thief.steal(trader.account, 1n), undefined, 'the day is used up');
  for (const refused of await thief.reachForMore()) assert.notEqual(refused, undefined);
  const delivered = await thief.mintForNothing(ticker);
  assert.equal(delivered, toFunctionSelector('BackingExceeded(uint256,uint256)'));
  const after = await readHoldings(adminConsole.sandbox(), trader.account, outcome);
  assert.equal(before.usdcMicros - after.usdcMicros, capMicros);
  adminConsole.say(
    'one whose owner lets funds go anywhere lost its daily cap; other powers are refused',
  );
}

/** A key unknown to the thief replaces the old one. */
async function replaceKey(
  adminConsole: AdminConsole,
  stolen: Hex,
  keys: Readonly<Record<string, string>>,
): Promise<void> {
  const fresh = generatePrivateKey();
  const { address } = privateKeyToAccount(fresh);
  await controlChainFaults(adminConsole.sandbox()).setGasMoney(address, parseEther('10'));
  await adminConsole.run(GRANT, { ...keys, 'new-address': address });
  const secrets = await adminConsole.secrets();
  const operators = secrets.chain.operators.map((key) => (key === stolen ? fresh : key));
  await adminConsole.restart(() => {
    const changed = { ...secrets, chain: { ...secrets.chain, operators } };
    writeFileSync(join(adminConsole.dataDir, 'secrets.json'), JSON.stringify(changed), {
      mode: 0o600,
    });
  });
}
