import { tryParseMicros } from '#lib/money.ts';
import { advanceClock } from '../exchange.ts';
import { createFaults, type FaultKind } from '../faults.ts';
import { followSchedules, leaveTrading, settle } from '../lifecycle.ts';
import { type ExchangeMarket, statusOf } from '../market.ts';
import { Refusal } from '../order.ts';
import { saveAccount, saveMarket } from '../persistence.ts';
import type { Exchange } from '../state.ts';
import { TICK_STRUCTURES, type TickStructure } from '../ticks.ts';
import { type Answer, ok } from './route.ts';

/**
 * The operator's side, outside the exchange's own paths: the clock, markets' fates, cash, and
 * misbehaviour. It listens where the exchange listens, so the sandbox binds to loopback only.
 */
export async function controlAnswer(
  exchange: Exchange,
  method: string,
  url: URL,
  body: string,
): Promise<Answer> {
  const name = url.pathname.slice('/_control/'.length);
  const fields = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
  if (method === 'GET' && name === 'state') return ok(describe(exchange));
  if (method === 'GET' && name === 'health') return ok({ ok: true });
  const command = COMMANDS[name];
  if (method !== 'POST' || !command) throw new Refusal(404, 'not_found', `no control ${name}`);
  command(exchange, fields);
  await exchange.store.durable();
  return ok(describe(exchange));
}

type Fields = Record<string, unknown>;

const COMMANDS: Record<string, (exchange: Exchange, fields: Fields) => void> = {
  faults(exchange, fields) {
    if (fields.clear === true) Object.assign(exchange.faults, createFaults());
    for (const fault of arrayOf(fields.arm)) {
      exchange.faults.armed.push({
        kind: textOf(fault.kind) as FaultKind,
        times: Number(fault.times ?? 1),
        ...(typeof fault.path === 'string' ? { path: fault.path } : {}),
      });
    }
    for (const key of ['readLagMs', 'latencyMs', 'clockSkewMs'] as const) {
      if (typeof fields[key] === 'number') exchange.faults[key] = fields[key];
    }
    for (const key of ['socketDrop', 'socketDuplicate', 'socketSwap'] as const) {
      if (typeof fields[key] === 'number') exchange.faults[key] = fields[key];
    }
    if (typeof fields.socketSilent === 'boolean') {
      exchange.faults.socketSilent = fields.socketSilent;
    }
  },
  exchange(exchange, fields) {
    if (typeof fields.exchangeActive === 'boolean') exchange.exchangeActive = fields.exchangeActive;
    if (typeof fields.tradingActive === 'boolean') exchange.tradingActive = fields.tradingActive;
  },
  clock(exchange, fields) {
    if (fields.freeze === true) exchange.clock.freeze();
    if (fields.run === true) exchange.clock.run();
    if (typeof fields.advanceMs === 'number') advanceClock(exchange, fields.advanceMs);
    followSchedules(exchange);
  },
  market(exchange, fields) {
    const market = exchange.world.markets.get(textOf(fields.ticker));
    if (!market) throw new Refusal(404, 'market_not_found', 'no such market');
    changeMarket(exchange, market, fields);
    market.state.updatedAt = exchange.clock.now();
    saveMarket(exchange, market);
    followSchedules(exchange);
  },
  fees(exchange, fields) {
    const event = exchange.world.events.get(textOf(fields.eventTicker));
    if (event) {
      event.feeOverride =
        fields.feeType === null
          ? undefined
          : {
              feeType: textOf(fields.feeType),
              multiplierMicros: BigInt(Math.round(Number(fields.feeMultiplier ?? 1) * 1e6)),
            };
    }
    if (typeof fields.seriesTicker === 'string') {
      exchange.feeChanges.push({
        id: `change-${exchange.feeChanges.length + 1}`,
        series_ticker: fields.seriesTicker,
        fee_type: textOf(fields.feeType),
        fee_multiplier: Number(fields.feeMultiplier ?? 1),
        scheduled_ts: textOf(fields.scheduledTs),
      });
    }
  },
  account(exchange, fields) {
    const account = exchange.accountsByKey.get(textOf(fields.keyId));
    const balance = tryParseMicros(textOf(fields.balanceDollars));
    if (!account || balance === undefined) {
      throw new Refusal(400, 'invalid_parameters', 'keyId and balanceDollars are required');
    }
    account.balanceMicros = balance;
    saveAccount(exchange, account);
  },
};

function changeMarket(exchange: Exchange, market: ExchangeMarket, fields: Fields): void {
  const { state } = market;
  const now = exchange.clock.now();
  if (typeof fields.paused === 'boolean') {
    state.paused = fields.paused;
    if (!state.paused) leaveTrading(exchange, market);
    market.seen = statusOf(market, now);
    const eventType = state.paused ? 'deactivated' : 'activated';
    exchange.signals.emit({ kind: 'lifecycle', market, eventType });
  }
  if (typeof fields.structure === 'string' && fields.structure in TICK_STRUCTURES) {
    leaveTrading(exchange, market);
    state.structure = fields.structure as TickStructure;
    exchange.signals.emit({
      kind: 'lifecycle',
      market,
      eventType: 'price_level_structure_updated',
    });
  }
  if (typeof fields.payoutYesDollars === 'string') {
    state.payoutOverrideMicros = tryParseMicros(fields.payoutYesDollars);
  }
  if (typeof fields.feeWaivedMs === 'number') state.feeWaivedUntil = now + fields.feeWaivedMs;
  if (fields.close === true) moveClose(exchange, market, now);
  if (fields.reopenMs !== undefined) moveClose(exchange, market, now + Number(fields.reopenMs));
  if (fields.determine === true) {
    moveClose(exchange, market, Math.min(state.schedule.closeAt, now));
    state.schedule.determinedAt = now;
    state.schedule.finalAt = now + market.event.template.settlementTimerSeconds * 1000;
  }
  if (fields.review === 'disputed' || fields.review === 'amended') {
    state.review = fields.review;
    state.schedule.finalAt = now + market.event.template.settlementTimerSeconds * 1000;
  }
  if (fields.finalize === true) {
    moveClose(exchange, market, Math.min(state.schedule.closeAt, now));
    state.schedule.determinedAt = Math.min(state.schedule.determinedAt, now);
    state.schedule.finalAt = now;
    if (statusOf(market, now) === 'finalized') settle(exchange, market);
  }
}

function moveClose(exchange: Exchange, market: ExchangeMarket, closeAt: number): void {
  const { schedule } = market.state;
  const { template } = market.event;
  if (schedule.closeAt === closeAt) return;
  schedule.closeAt = closeAt;
  schedule.determinedAt = closeAt + template.determineAfterMs;
  schedule.finalAt = schedule.determinedAt + template.settlementTimerSeconds * 1000;
  exchange.signals.emit({ kind: 'lifecycle', market, eventType: 'close_date_updated' });
}

function describe(exchange: Exchange) {
  return {
    now: new Date(exchange.clock.now()).toISOString(),
    frozen: exchange.clock.frozen,
    seed: exchange.seed,
    genesis: new Date(exchange.genesis).toISOString(),
    exchangeActive: exchange.exchangeActive,
    tradingActive: exchange.tradingActive,
    events: exchange.world.events.size,
    markets: exchange.world.markets.size,
    restingOrders: exchange.resting.size,
    faults: exchange.faults,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function arrayOf(value: unknown): Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : [];
}
