import type { OrderRequestInput } from '#lib/api/schemas/order.ts';
import { formatMicros } from '#lib/money.ts';
import { giveGrant, orderBody, signIn, WIDE_LIMITS } from '#sandbox/testing/trader.ts';
import { isQuick } from './harness/options.ts';
import { withService } from './harness/service.ts';
import { percentile, report } from './report.ts';

/**
 * How long a preview takes, from POST to the response: of a trader with funds and a permission, who
 * changes market and amount each time.
 */
const ROUNDS = isQuick ? 100 : 1_000;
const AT_ONCE = 8;
const LISTED = 20;
const WARM_UP = 20;

await withService(async (service) => {
  const sandbox = service.description();
  const trader = await signIn(sandbox);
  await giveGrant(trader.api, trader.wallet, WIDE_LIMITS);
  await trader.api.requestFunds(trader.wallet.address);
  const { markets } = await trader.api.listMarkets({ limit: 200, status: 'open' });
  const traded = markets.filter((one) => one.yesAsk < 90 && one.yesBid > 10).slice(0, 20);
  if (traded.length === 0) throw new Error('the sandbox has no open market with a two-sided book');
  let count = 0;
  const nextOrder = (): OrderRequestInput => {
    count += 1;
    const contractMicros = BigInt((count % 5_000) + 1) * 10_000n;
    return orderBody(sandbox, trader, {
      direction: 'BUY',
      ticker: traded[count % traded.length]?.ticker ?? '',
      side: count % 2 === 0 ? 'yes' : 'no',
      contracts: formatMicros(contractMicros),
      quoteLimit: formatMicros((contractMicros * 95n) / 100n),
    });
  };
  const timed = async (body: OrderRequestInput | OrderRequestInput[]) => {
    const begun = performance.now();
    await trader.api.previewOrders(body);
    return performance.now() - begun;
  };
  const series = async (
    rounds: number,
    bodiesOf: () => OrderRequestInput | OrderRequestInput[],
  ) => {
    const samples: number[] = [];
    for (let round = 0; round < rounds; round += 1) samples.push(await timed(bodiesOf()));
    return samples;
  };
  await series(WARM_UP, nextOrder);
  const single = await series(ROUNDS, nextOrder);
  const rounds = Math.ceil(ROUNDS / AT_ONCE);
  const together = await Promise.all(
    Array.from({ length: AT_ONCE }, () => series(rounds, nextOrder)),
  );
  const listOf = () => Array.from({ length: LISTED }, nextOrder);
  const lists = await series(Math.ceil(ROUNDS / LISTED), listOf);
  const at = (name: string, samples: number[], share: number, atMost?: number) => ({
    name,
    ours: percentile(samples, share),
    unit: 'ms',
    ...(atMost !== undefined && { atMost }),
  });
  report('Previewing an order, POST to response', [
    at('one after the other, half are faster than', single, 0.5),
    at('one after the other, 99 of 100 are faster than', single, 0.99, 50),
    at(`${AT_ONCE} at once, 99 of 100 are faster than`, together.flat(), 0.99),
    at(`lists of ${LISTED}, 99 of 100 are faster than`, lists, 0.99),
  ]);
});
