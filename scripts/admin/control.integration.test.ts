import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isApiProblem } from '#lib/api/problem.ts';
import { createTransport, type Transport } from '#lib/api/transport.ts';
import { formatMicros } from '#lib/money.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import { anyFreePort, isPortFree } from '#sandbox/process/ports.ts';
import type { Stack } from '#sandbox/stack/startStack.ts';
import { withRuntime } from '#sandbox/testing/books.ts';
import { type OtlpReceiver, startOtlpReceiver } from '#sandbox/testing/otlpReceiver.ts';
import { startTestStack } from '#sandbox/testing/testStack.ts';
import {
  createTrader,
  fetchToken,
  findLiquidMarket,
  giveGrant,
  orderBody,
  signIn,
  type Trader,
  untilComplete,
} from '#sandbox/testing/trader.ts';
import { addAdmin } from '#server/domain/admin/admins.ts';
import { erasePersonalData } from '#server/domain/compliance/personalData.ts';

/**
 * The admin's view and actions, on a service with compliance lists and terms, traces and metrics.
 */

const BLOCKED_KEY = `0x${'b1'.repeat(32)}` as const;
const TERMS = '2026-11';

const folder = mkdtempSync(join(tmpdir(), 'crossbook-control-'));
let stack: Stack;
let traces: OtlpReceiver;
let opsPort = 0;
let acting: Transport;
let watching: Transport;
let trader: Trader;
let ticker = '';

beforeAll(async () => {
  traces = await startOtlpReceiver();
  opsPort = await freeRow();
  const list = join(folder, 'blocked-addresses');
  writeFileSync(list, `${privateKeyToAccount(BLOCKED_KEY).address} # for the test\n`);
  stack = await startTestStack({
    dataDir: join(folder, 'data'),
    environment: {
      SERVE_PAGES: 'false',
      OPS_PORT: String(opsPort),
      OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
      COMPLIANCE: 'lists',
      BLOCKED_ADDRESSES_FILE: list,
      TERMS_VERSION: TERMS,
      TERMS_URL: 'https://example.org/terms',
    },
  });
  await withRuntime(join(folder, 'data'), async (runtime) => {
    const by = { by: 'tester', reason: 'to try it' };
    const actor = await addAdmin(runtime, { name: 'Ada', role: 'act', ...by });
    const watcher = await addAdmin(runtime, { name: 'Wim', role: 'watch', ...by });
    const { baseUrl } = stack.description();
    acting = createTransport({ baseUrl, token: actor.token });
    watching = createTransport({ baseUrl, token: watcher.token });
  });
  trader = await createTrader(stack.description());
  ticker = await findLiquidMarket(trader);
});

afterAll(async () => {
  await stack?.stop();
  traces?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Three consecutive ports: web server, processor and notification sender. */
async function freeRow(): Promise<number> {
  for (;;) {
    const first = await anyFreePort();
    if ((await isPortFree(first + 1)) && (await isPortFree(first + 2))) return first;
  }
}

const buy = (who: Trader, quoteLimit = '0.98') =>
  who.api.createOrder(
    orderBody(stack.description(), who, {
      direction: 'BUY',
      ticker,
      side: 'yes',
      contracts: '1',
      quoteLimit,
    }),
  );

const act = (path: string, body: object, method: 'POST' | 'PUT' = 'POST') =>
  acting({ method, path: `/operator/v1${path}`, body: { reason: 'to try it', ...body } });

async function refusalOf(work: Promise<unknown>): Promise<{ status: number; code: string }> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isApiProblem(error)) throw new Error(`not refused: ${String(error)}`);
  return { status: error.status, code: error.code };
}

async function query(text: string): Promise<Record<string, string | number>[]> {
  const client = new pg.Client({ connectionString: stack.description().databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, string | number>>(text)).rows;
  } finally {
    await client.end();
  }
}

async function whileStopped<Result>(work: () => Promise<Result>): Promise<Result> {
  const [pid] = stack.description().pids.processor;
  if (pid === undefined) throw new Error('no processor runs');
  process.kill(pid, 'SIGSTOP');
  try {
    return await work();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

describe('compliance', () => {
  const own = async (who: Trader) => {
    const { baseUrl, apiKey } = stack.description();
    return createTransport({ baseUrl, apiKey, token: await fetchToken(who.api, who.wallet) });
  };

  test('given terms that are not accepted, refuses purchases and serves reads', async () => {
    expect(await refusalOf(buy(trader))).toEqual({ status: 403, code: 'terms_not_accepted' });
    const ask = await own(trader);
    const path = '/v1/account/terms';
    expect(await ask({ method: 'GET', path })).toMatchObject({
      version: TERMS,
      acceptedVersion: null,
    });
    const wrong = ask({ method: 'POST', path, body: { version: 'other' } });
    expect(await refusalOf(wrong)).toEqual({ status: 400, code: 'invalid_request' });
    await ask({ method: 'POST', path, body: { version: TERMS } });
    expect(await ask({ method: 'GET', path: '/v1/account/data' })).toMatchObject({
      ownerAddress: trader.wallet.address,
      terms: [{ version: TERMS }],
      accounts: [{ ownerAddress: trader.wallet.address }],
      sessions: expect.arrayContaining([
        expect.objectContaining({ ip: expect.stringMatching(/127\.0\.0\.1|::1/) }),
      ]),
    });
  });

  test('an address on the list may not trade, nor be sent anything', async () => {
    const blocked = await signIn(stack.description(), BLOCKED_KEY);
    await giveGrant(blocked.api, blocked.wallet);
    expect(await refusalOf(buy(blocked))).toEqual({ status: 403, code: 'account_blocked' });
    const withdrawal = trader.api.withdraw({
      intentType: 'Withdraw',
      tokenType: 'erc20',
      tokenAddress: stack.description().contracts.usdc,
      amount: '1',
      destinationAddress: blocked.wallet.address,
    });
    expect(await refusalOf(withdrawal)).toEqual({ status: 403, code: 'account_blocked' });
  });
});

describe('an order', () => {
  test('is one trace over both processes, from the request to the transaction', async () => {
    const { intent } = await buy(trader);
    const order = await untilComplete(trader, intent.id);
    expect(order.status).toBe('completed');
    const found = await pollUntil(() => {
      const mine = traces
        .spans()
        .filter((span) => span.attributes['crossbook.intent_id'] === intent.id);
      const traceId = mine[0]?.traceId;
      const whole = traces.spans().filter((span) => span.traceId === traceId);
      const names = new Set(whole.map((span) => span.name));
      // Each process exports its spans in batches of its own.
      const last = ['chain.transaction.fill', 'order.deliver', 'POST /v1/order'];
      return Promise.resolve(last.every((name) => names.has(name)) ? whole : undefined);
    });
    const names = (service: string) =>
      (found ?? []).filter((span) => span.service === service).map((span) => span.name);
    expect(names('crossbook-web')).toContain('POST /v1/order');
    expect(names('crossbook-processor')).toEqual(
      expect.arrayContaining([
        'order.request',
        'order.place',
        'order.deliver',
        'exchange.placeOrder',
        'chain.transaction.request',
        'chain.transaction.attest',
        'chain.transaction.fill',
      ]),
    );
    const [root] = (found ?? []).filter((span) => span.parentSpanId === undefined);
    expect(root?.name).toBe('POST /v1/order');
    const fill = (found ?? []).find((span) => span.name === 'chain.transaction.fill');
    expect(fill?.attributes['chain.transaction.hash']).toBe(order.transactionHash);
  });
});

describe('metrics', () => {
  const scrape = async (port: number) =>
    await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();

  test('cover both processes and contain no personal data', async () => {
    const [web, processor] = await Promise.all([scrape(opsPort), scrape(opsPort + 1)]);
    expect(web).toMatch(
      /crossbook_http_request_seconds_count\{method="POST",route="\/v1\/order",status="200"\} [1-9]/,
    );
    for (const line of [
      /crossbook_orders_open\{stage="place"\} \d/,
      /crossbook_money_in_flight_usdc_micros\{stage="deliver"\} \d/,
      /crossbook_exchange_up 1/,
      /crossbook_chain_read_lag_blocks\{reader="transfers"\} \d/,
      /crossbook_signer_balance_ether\{signer="operator-1"\} \d/,
      /crossbook_signer_balance_ether\{signer="attestor"\} \d/,
      /crossbook_exchange_cash_usdc_micros \d{6}/,
      /crossbook_alerts_open\{kind="order_stuck"\} 0/,
      /crossbook_part_readable\{part="chain"\} 1/,
      /crossbook_order_step_seconds_count\{stage="place",outcome="moved"\} [1-9]/,
      /crossbook_orders_ended_total\{kind="api",status="completed",reason="none"\} [1-9]/,
      /crossbook_chain_transaction_seconds_count\{kind="fill",outcome="succeeded"\} [1-9]/,
      /crossbook_exchange_call_seconds_count\{operation="placeOrder",outcome="done"\} [1-9]/,
      /crossbook_exchange_requests_total\{method="POST",result="2xx"\} [1-9]/,
      /crossbook_chain_request_seconds_count\{method="eth_getTransactionReceipt",outcome="ok"\} [1-9]/,
      /nodejs_eventloop_lag_p99_seconds /,
    ]) {
      expect(processor).toMatch(line);
    }
    expect(processor).not.toMatch(/crossbook_part_readable\{part="\w+"\} 0/);
    for (const text of [web, processor]) expect(text).not.toMatch(/0x[0-9a-fA-F]{8}/);
  });
});

describe('operators', () => {
  test('sign in by their own token only, and act by their role', async () => {
    const overview = { method: 'GET', path: '/operator/v1/overview' } as const;
    const { baseUrl, apiKey } = stack.description();
    const stranger = createTransport({
      baseUrl,
      apiKey,
      token: await fetchToken(trader.api, trader.wallet),
    });
    expect(await refusalOf(stranger(overview))).toEqual({
      status: 401,
      code: 'operator_token_invalid',
    });
    expect(await watching(overview)).toMatchObject({ operator: { name: 'Wim', role: 'watch' } });
    const pause = {
      method: 'POST',
      path: '/operator/v1/suspensions',
      body: { reason: 'no' },
    } as const;
    expect(await refusalOf(watching({ ...pause, body: { reason: 'curious' } }))).toEqual({
      status: 403,
      code: 'forbidden',
    });
    expect(await refusalOf(acting(pause))).toEqual({ status: 400, code: 'invalid_request' });
  });

  test('given a global pause, new orders are rejected and unplaced ones returned', async () => {
    const waiting = await whileStopped(async () => {
      const { intent } = await buy(trader);
      await act('/suspensions', {});
      return intent.id;
    });
    expect(await refusalOf(buy(trader))).toEqual({ status: 503, code: 'trading_paused' });
    expect(await untilComplete(trader, waiting)).toMatchObject({
      status: 'failed',
      terminationReason: 'trading_paused',
      returnedQuoteAmount: '0.98',
    });
    await act('/suspensions/lift', {});
    const { intent } = await buy(trader);
    expect((await untilComplete(trader, intent.id)).status).toBe('completed');
  });

  /** The total cost of completed purchases, plus a margin, as an amount. */
  const heldAnd = async (moreMicros: bigint) => {
    const [spent] = await query(
      `select coalesce(sum(quote_usdc_micros), 0)::text as micros from orders
       where status = 'completed'`,
    );
    const cap = BigInt(spent?.micros ?? 0) + moreMicros;
    return formatMicros(cap);
  };
  const none = { maxOrder: null, maxDay: null, maxExposure: null, maxOpenOrders: null };

  test('given an account limit, concurrent purchases never exceed it', async () => {
    const { account } = trader;
    const maxExposure = await heldAnd(3n * 980_000n);
    const results = await whileStopped(async () => {
      await act('/limits', { scope: 'account', subject: account, ...none, maxExposure }, 'PUT');
      return await Promise.allSettled(Array.from({ length: 12 }, () => buy(trader)));
    });
    const taken = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(taken).toHaveLength(3);
    for (const one of results) {
      if (one.status === 'rejected') {
        expect(one.reason).toMatchObject({ status: 422, code: 'trading_limit_reached' });
      }
    }
    for (const { intent } of taken) await untilComplete(trader, intent.id);
    await act('/limits/remove', { scope: 'account', subject: account });
  });

  test('given a lowered limit, the newest unplaced orders are returned', async () => {
    const maxExposure = await heldAnd(980_000n);
    const [first, second] = await whileStopped(async () => {
      const one = await buy(trader);
      const two = await buy(trader);
      await act('/limits', { scope: 'market', subject: ticker, ...none, maxExposure }, 'PUT');
      return [one.intent.id, two.intent.id] as const;
    });
    expect(await untilComplete(trader, first)).toMatchObject({ status: 'completed' });
    expect(await untilComplete(trader, second)).toMatchObject({
      status: 'failed',
      terminationReason: 'limit_reached',
      returnedQuoteAmount: '0.98',
    });
    await act('/limits/remove', { scope: 'market', subject: ticker });
  });

  test('have the backing of a market attested again', async () => {
    await act('/settlements/attest', { ticker });
    const again = await pollUntil(async () => {
      const [row] = await query(
        `select state from chain_operations where kind = 'attest' and attempt > 1`,
      );
      return row?.state === 'succeeded' ? row : undefined;
    });
    expect(again).toEqual({ state: 'succeeded' });
    const unknown = act('/settlements/attest', { ticker: 'NOTHING-OF-THE-KIND' });
    expect(await refusalOf(unknown)).toEqual({ status: 409, code: 'action_not_possible' });
  });

  test('leave an audit trail that cannot be changed', async () => {
    const { entries } = await watching<{ entries: { actor: string; action: string }[] }>({
      method: 'GET',
      path: '/operator/v1/audit',
    });
    const actions = entries.filter((one) => one.actor === 'Ada').map((one) => one.action);
    expect(actions).toEqual(
      expect.arrayContaining(['pause_trading', 'resume_trading', 'set_limit', 'remove_limit']),
    );
    for (const attempt of [
      `update audit_log set reason = 'another'`,
      'delete from audit_log',
      'truncate audit_log',
    ]) {
      await expect(query(attempt)).rejects.toThrow(/append only/);
    }
  });
});

describe('personal data', () => {
  test('is erased on request; the orders stay', async () => {
    const owner = trader.wallet.address;
    const changedAt = new Date().toISOString();
    await trader.api.changeSaved([{ kind: 'contact', key: owner, value: 'Mine', changedAt }]);
    await trader.api.putAccountSettings({ autoRedeem: false });
    await withRuntime(join(folder, 'data'), (runtime) =>
      erasePersonalData(runtime, { owner, by: 'tester', reason: 'asked for' }),
    );
    const [left] = await query(
      `select (select count(*)::int from sessions where owner_address = '${owner}') as sessions,
         (select count(*)::int from saved_items where owner_address = '${owner}') as saved,
         (select count(*)::int from orders where owner_address = '${owner}') as orders,
         (select auto_redeem from accounts where owner_address = '${owner}') as redeems,
         (select count(*)::int from api_keys where owner_address = '${owner}') as keys`,
    );
    expect(left).toMatchObject({ sessions: 0, saved: 0, keys: 0, redeems: true });
    expect(Number(left?.orders)).toBeGreaterThan(3);
    expect(await refusalOf(buy(trader))).toEqual({ status: 401, code: 'token_invalid' });
  });
});
