import { MICROS, tryParseMicros } from '#lib/money.ts';
import { advanceClock } from '../exchange.ts';
import { createFaults, type FaultKind } from '../faults.ts';
import type { Account } from '../ledger.ts';
import { followSchedules } from '../lifecycle.ts';
import { behave, createMisbehaviour, MISBEHAVIOUR_KINDS } from '../misbehaviour.ts';
import { saveArchiveAges, saveFees, savePauses } from '../operatorState.ts';
import { badShard, Refusal } from '../order.ts';
import { cancelAllOrders, cancelPausedOrders } from '../orderEnds.ts';
import { saveAccount } from '../persistence.ts';
import { isShard, purseOf, spreadCash, totalCash } from '../shards.ts';
import { countTransfers } from '../shardTransfers.ts';
import { type Exchange, schedule } from '../state.ts';
import { isSubaccount } from '../subaccounts.ts';
import { marketCommand, settleCommand } from './controlMarket.ts';
import { fillCommand } from './controlOrders.ts';
import { badParameter, ok, type Reply, textOf } from './route.ts';

/**
 * The control interface, outside the exchange's own paths: clock, market outcomes, cash, and
 * faults. It listens on the exchange's port, so the sandbox binds to loopback only.
 */
export async function controlResponse(
  exchange: Exchange,
  method: string,
  url: URL,
  body: string,
): Promise<Reply> {
  const name = url.pathname.slice('/_control/'.length);
  if (method === 'GET' && name === 'state') return ok(describe(exchange));
  if (method === 'GET' && name === 'health') return ok({ ok: true });
  const command = COMMANDS[name];
  if (method !== 'POST' || !command) throw new Refusal(404, 'not_found', `no control ${name}`);
  command(exchange, fieldsIn(body));
  await exchange.store.durable();
  return ok(describe(exchange));
}

export type Fields = Record<string, unknown>;
export type Command = (exchange: Exchange, fields: Fields) => void;

const COMMANDS: Record<string, Command> = {
  faults: faultsCommand,
  misbehave: misbehaveCommand,
  exchange(exchange, fields) {
    const shard = fields.shard === undefined ? undefined : exchange.shards.get(shardIn(fields));
    const paused = shard ?? exchange;
    if (typeof fields.exchangeActive === 'boolean') paused.exchangeActive = fields.exchangeActive;
    if (typeof fields.tradingActive === 'boolean') paused.tradingActive = fields.tradingActive;
    if (shard && typeof fields.transfersActive === 'boolean') {
      shard.transfersActive = fields.transfersActive;
    }
    if (typeof fields.regionExpiresInMs === 'number') {
      exchange.regionExpiresAt = exchange.clock.now() + fields.regionExpiresInMs;
    }
    if (fields.regionExpiresInMs === null) exchange.regionExpiresAt = undefined;
    savePauses(exchange);
    cancelPausedOrders(exchange);
    if (fields.cancelResting === true) {
      cancelAllOrders(exchange, shard === undefined ? undefined : shardIn(fields));
    }
  },
  clock(exchange, fields) {
    if (fields.freeze === true) exchange.clock.freeze();
    if (fields.run === true) exchange.clock.run();
    if (typeof fields.advanceMs === 'number') advanceClock(exchange, fields.advanceMs);
    followSchedules(exchange);
  },
  market: marketCommand,
  settle: settleCommand,
  fill: fillCommand,
  fees: feesCommand,
  account: accountCommand,
  archive: archiveCommand,
  limits: limitsCommand,
};

/** Moves all accounts and sockets to another tier of limits, until the exchange restarts. */
function limitsCommand(exchange: Exchange, fields: Fields): void {
  const { tokensPerSecond, usualCost, marketsPerSubscription } = fields;
  const { limits } = exchange;
  if (typeof marketsPerSubscription === 'number') {
    exchange.marketsPerSubscription = marketsPerSubscription;
  }
  const refill = typeof tokensPerSecond === 'number' ? tokensPerSecond : undefined;
  const bucket = refill === undefined ? undefined : { refill, capacity: refill };
  exchange.limits = {
    tier: 'custom',
    read: bucket ?? limits.read,
    write: bucket ?? limits.write,
    usualCost: typeof usualCost === 'number' ? usualCost : limits.usualCost,
  };
}

/** Sets how old data is when it is archived; zero archives what has ended by now. */
function archiveCommand(exchange: Exchange, fields: Fields): void {
  const ages = { ...exchange.archiveAges };
  for (const key of ['ordersMs', 'tradesMs', 'marketsMs', 'positionsMs'] as const) {
    if (typeof fields[key] === 'number') ages[key] = fields[key];
  }
  exchange.archiveAges = ages;
  saveArchiveAges(exchange);
}

function faultsCommand(exchange: Exchange, fields: Fields): void {
  if (fields.clear === true) Object.assign(exchange.faults, createFaults());
  for (const fault of arrayOf(fields.arm)) {
    exchange.faults.armed.push({
      kind: textOf(fault.kind) as FaultKind,
      times: Number(fault.times ?? 1),
      ...(typeof fault.path === 'string' ? { path: fault.path } : {}),
    });
  }
  for (const key of [
    'readLagMs',
    'fillLagMs',
    'transferLatencyMs',
    'latencyMs',
    'clockSkewMs',
  ] as const) {
    if (typeof fields[key] === 'number') exchange.faults[key] = fields[key];
  }
  for (const key of ['socketDrop', 'socketDropOwn', 'socketDuplicate', 'socketSwap'] as const) {
    if (typeof fields[key] === 'number') exchange.faults[key] = fields[key];
  }
  if (typeof fields.socketSilent === 'boolean') exchange.faults.socketSilent = fields.socketSilent;
}

/** Starts random faults, or stops them with a rate of zero. @throws {Refusal} */
function misbehaveCommand(exchange: Exchange, fields: Fields): void {
  const kinds = listOf(fields.kinds);
  const unknown = kinds?.find((kind) => !MISBEHAVIOUR_KINDS.includes(kind));
  if (unknown !== undefined) {
    throw badParameter(`${unknown} is not one of ${MISBEHAVIOUR_KINDS.join(', ')}`);
  }
  const tickers = listOf(fields.tickers);
  behave(exchange);
  exchange.misbehaviour = createMisbehaviour({
    rate: Number(fields.rate ?? 0),
    ...(typeof fields.seed === 'number' ? { seed: fields.seed } : {}),
    ...(typeof fields.spellMs === 'number' ? { spellMs: fields.spellMs } : {}),
    ...(kinds ? { kinds: new Set(kinds) } : {}),
    ...(tickers ? { tickers } : {}),
  });
}

/** Sets fees of an event at once or from a moment on, or of a series from a moment on. */
function feesCommand(exchange: Exchange, fields: Fields): void {
  const event = exchange.world.events.get(textOf(fields.eventTicker));
  const feeType = fields.feeType === null ? null : textOf(fields.feeType);
  const multiplier = Number(fields.feeMultiplier ?? 1);
  const scheduledTs = textOf(fields.scheduledTs);
  if (event && scheduledTs !== '') {
    exchange.eventFeeChanges.push({
      id: `event-change-${exchange.eventFeeChanges.length + 1}`,
      event_ticker: event.ticker,
      series_ticker: event.template.ticker,
      fee_type_override: feeType,
      fee_multiplier_override: feeType === null ? null : multiplier,
      scheduled_ts: scheduledTs,
    });
    exchange.eventFeeChanges.sort(bySchedule);
  } else if (event) {
    if (feeType === null) exchange.feeOverrides.delete(event.ticker);
    else exchange.feeOverrides.set(event.ticker, schedule(feeType, multiplier));
    const change = {
      event_ticker: event.ticker,
      fee_type_override: feeType,
      fee_multiplier_override: feeType === null ? null : multiplier,
    };
    exchange.signals.emit({ kind: 'event_fee', change });
  }
  if (typeof fields.seriesTicker === 'string') {
    exchange.feeChanges.push({
      id: `change-${exchange.feeChanges.length + 1}`,
      series_ticker: fields.seriesTicker,
      fee_type: feeType ?? 'quadratic',
      fee_multiplier: multiplier,
      scheduled_ts: scheduledTs,
    });
    exchange.feeChanges.sort(bySchedule);
  }
  saveFees(exchange);
}

function bySchedule(a: { scheduled_ts: string }, b: { scheduled_ts: string }): number {
  return Date.parse(a.scheduled_ts) - Date.parse(b.scheduled_ts);
}

/**
 * Sets, increases or reduces an account's cash. Without a shard, a balance is spread over all of
 * them, and cash is added to the default one. @throws {Refusal}
 */
function accountCommand(exchange: Exchange, fields: Fields): void {
  const account = accountOf(exchange, fields.keyId);
  const balance = tryParseMicros(textOf(fields.balanceDollars));
  const added = signedMicros(textOf(fields.addDollars));
  if (!account || (balance === undefined) === (added === undefined)) {
    throw badParameter('a known keyId and one of balanceDollars and addDollars are required');
  }
  if (balance !== undefined && fields.shard === undefined) account.purses = spreadCash(balance);
  else {
    const purse = purseOf(account, shardIn(fields));
    purse.balanceMicros = balance ?? purse.balanceMicros + (added ?? 0n);
  }
  saveAccount(exchange, account);
}

/** The named shard, or the default one. @throws {Refusal} */
function shardIn({ shard = 0 }: Fields): number {
  if (typeof shard === 'number' && isShard(shard)) return shard;
  throw badShard(Number(shard));
}

/** The named account, or the only one. */
function accountOf(exchange: Exchange, keyId: unknown): Account | undefined {
  if (typeof keyId === 'string') return exchange.apiKeys.get(keyId)?.account;
  const [first, second] = [...exchange.accounts.values()].filter((one) => !isSubaccount(one.id));
  return second ? undefined : first;
}

function signedMicros(text: string): bigint | undefined {
  if (!text.startsWith('-')) return tryParseMicros(text);
  const micros = tryParseMicros(text.slice(1));
  return micros === undefined ? undefined : -micros;
}

function describe(exchange: Exchange) {
  const { misbehaviour } = exchange;
  return {
    now: new Date(exchange.clock.now()).toISOString(),
    frozen: exchange.clock.frozen,
    seed: exchange.seed,
    genesis: new Date(exchange.genesis).toISOString(),
    exchangeActive: exchange.exchangeActive,
    tradingActive: exchange.tradingActive,
    shards: [...exchange.shards].map(([shard, state]) => ({ shard, ...state })),
    transfers: countTransfers(exchange),
    pendingTransfers: exchange.pendingTransfers.size,
    events: exchange.world.events.size,
    markets: exchange.world.markets.size,
    benchmarkMarkets: exchange.benchmark.marketCount,
    restingOrders: exchange.resting.size,
    archive: exchange.archiveAges,
    faults: exchange.faults,
    misbehaviour: {
      seed: misbehaviour.seed,
      rate: misbehaviour.rate,
      spell: misbehaviour.spell?.kind ?? null,
      happened: misbehaviour.happened,
    },
    accounts: [...exchange.accounts.values()].map((account) => ({
      keyId: account.id,
      balanceDollars: inDollars(totalCash(account)),
      shards: [...account.purses].map(([shard, { balanceMicros }]) => ({
        shard,
        balanceDollars: inDollars(balanceMicros),
      })),
    })),
  };
}

function inDollars(micros: bigint): string {
  return (Number(micros) / Number(MICROS)).toFixed(6);
}

/** @throws {Refusal} */
function fieldsIn(body: string): Fields {
  if (body === '') return {};
  try {
    return JSON.parse(body) as Fields;
  } catch {
    throw badParameter('the body is not valid JSON');
  }
}

function listOf(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined;
}

function arrayOf(value: unknown): Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : [];
}
