import { createFaults, type FaultKind } from './faults.ts';
import { followSchedules } from './lifecycle.ts';
import { type ExchangeMarket, statusOf } from './market.ts';
import { changeGrid, changePaused, moveClose } from './marketControl.ts';
import { endOutageWindow, readSpell, recordOutageWindow } from './operatorState.ts';
import { hash32, unit } from './random.ts';
import type { Exchange } from './state.ts';
import type { TickStructure } from './ticks.ts';

/**
 * Random faults. Single requests fail with a probability, and fault periods affect the whole
 * exchange for a while. The faults depend on the seed and the number of earlier draws, and all of
 * them have been observed at the real exchange.
 */
export type Misbehaviour = {
  seed: number;
  /** The share of faulty requests, 0 to 1. */
  rate: number;
  /** Undefined means all kinds that leave results alone. */
  kinds: ReadonlySet<string> | undefined;
  /** The maximum length of a fault period. */
  spellMs: number;
  /** The affected markets; undefined means those with positions or orders. */
  tickers: string[] | undefined;
  /** Number of draws for requests and for periods: the two do not affect each other. */
  draws: Record<'request' | 'spell' | 'error', number>;
  spell: { kind: SpellKind; until: number; end: () => void } | undefined;
  happened: Record<string, number>;
};

const ORDER_KINDS: FaultKind[] = [
  'order_accept_then_timeout',
  'order_5xx_before',
  'order_5xx_after',
  'order_paused',
  'drop_before',
  'drop_after',
  'rate_limit',
  'html_answer',
  'insufficient_balance',
  'ioc_as_409',
];
const READ_KINDS: FaultKind[] = [
  'drop_before',
  'drop_after',
  'rate_limit',
  'html_answer',
  'read_5xx',
];
const LIST_PATHS = new Set(
  ['/portfolio', '/historical'].flatMap((root) => [`${root}/orders`, `${root}/fills`]),
);
const LIST_KINDS: FaultKind[] = [...READ_KINDS, 'shuffled_pages', 'duplicate_fills'];

const SPELL_KINDS = [
  'reads_lag',
  'fills_lag',
  'slow',
  'clock_skew',
  'socket_silent',
  'socket_gap',
  'socket_duplicate',
  'socket_swap',
  'trading_paused',
  'market_paused',
  'market_grid',
  'market_reopened',
] as const;
export type SpellKind = (typeof SPELL_KINDS)[number];

/** All kinds by name, for the control endpoint's error message. */
export const MISBEHAVIOUR_KINDS: readonly string[] = [
  ...new Set<string>([...ORDER_KINDS, ...LIST_KINDS, 'flat_errors', ...SPELL_KINDS]),
];

/** The interval between fault periods. */
export const SPELL_TURN_MS = 250;

export function createMisbehaviour(
  given: Partial<Pick<Misbehaviour, 'seed' | 'rate' | 'kinds' | 'spellMs' | 'tickers'>>,
): Misbehaviour {
  return {
    seed: given.seed ?? 1,
    rate: Math.min(Math.max(given.rate ?? 0, 0), 1),
    kinds: given.kinds,
    spellMs: given.spellMs ?? 3_000,
    tickers: given.tickers,
    draws: { request: 0, spell: 0, error: 0 },
    spell: undefined,
    happened: {},
  };
}

/** The fault of a request; undefined when there is none. */
export function drawFault(exchange: Exchange, method: string, path: string): FaultKind | undefined {
  const { misbehaviour } = exchange;
  if (misbehaviour.rate === 0) return undefined;
  const isOrder = method !== 'GET' && path.startsWith('/portfolio/events/orders');
  const isList = LIST_PATHS.has(path);
  const kinds = isOrder ? ORDER_KINDS : isList ? LIST_KINDS : READ_KINDS;
  return draw(misbehaviour, 'request', kinds, misbehaviour.rate);
}

/** Whether an error is flat this time. */
export function drawsFlatError({ misbehaviour }: Exchange): boolean {
  return misbehaviour.rate > 0 && draw(misbehaviour, 'error', ['flat_errors'], 0.5) !== undefined;
}

/** Starts a fault period at intervals, and ends an expired one. */
export function advanceFaultPeriods(exchange: Exchange): void {
  const { misbehaviour } = exchange;
  const now = performance.now();
  if (misbehaviour.spell && misbehaviour.spell.until <= now) endSpell(exchange);
  if (misbehaviour.rate === 0 || misbehaviour.spell) return;
  const kind = draw(misbehaviour, 'spell', SPELL_KINDS, misbehaviour.rate);
  if (!kind) return;
  const share = 0.2 + 0.8 * unit(misbehaviour.seed, misbehaviour.draws.spell, 'length');
  const end = beginSpell(exchange, kind, misbehaviour.spellMs * share);
  misbehaviour.spell = { kind, until: now + misbehaviour.spellMs * share, end };
}

/** Stops the faults and undoes their changes; results are never affected. */
export function behave(exchange: Exchange): void {
  endSpell(exchange);
  exchange.misbehaviour = createMisbehaviour({});
}

function draw<Kind extends string>(
  misbehaviour: Misbehaviour,
  what: 'request' | 'spell' | 'error',
  kinds: readonly Kind[],
  rate: number,
): Kind | undefined {
  misbehaviour.draws[what] += 1;
  const chance = hash32(misbehaviour.seed, what, misbehaviour.draws[what]);
  if (unit(chance, 'happens') >= rate) return undefined;
  const possible = kinds.filter((kind) => misbehaviour.kinds?.has(kind) ?? true);
  const kind = possible[Math.floor(unit(chance, 'kind') * possible.length)];
  if (kind) misbehaviour.happened[kind] = (misbehaviour.happened[kind] ?? 0) + 1;
  return kind;
}

function endSpell(exchange: Exchange): void {
  const { spell } = exchange.misbehaviour;
  exchange.misbehaviour.spell = undefined;
  if (!spell) return;
  spell.end();
  endOutageWindow(exchange);
}

/** After a kill during a fault period, restores the market. */
export function restoreAfterFaultPeriod(exchange: Exchange): void {
  const before = readSpell(exchange);
  const market = exchange.world.markets.get(before?.ticker ?? '');
  if (!before || !market) return;
  market.state.paused = false;
  market.state.structure = before.structure;
  moveClose(exchange, market, before.closeAt);
  endOutageWindow(exchange);
}

/** Starts a fault period; the returned function ends it. */
function beginSpell(exchange: Exchange, kind: SpellKind, lengthMs: number): () => void {
  const { faults } = exchange;
  const usual = createFaults();
  switch (kind) {
    case 'reads_lag':
      faults.readLagMs = lengthMs;
      return () => Object.assign(faults, { readLagMs: usual.readLagMs });
    case 'fills_lag':
      faults.fillLagMs = lengthMs;
      return () => Object.assign(faults, { fillLagMs: usual.fillLagMs });
    case 'slow':
      faults.latencyMs = Math.min(lengthMs / 4, 800);
      return () => Object.assign(faults, { latencyMs: usual.latencyMs });
    case 'clock_skew':
      faults.clockSkewMs = 45_000;
      return () => Object.assign(faults, { clockSkewMs: usual.clockSkewMs });
    case 'socket_silent':
      faults.socketSilent = true;
      return () => Object.assign(faults, { socketSilent: usual.socketSilent });
    case 'socket_gap':
      faults.socketDrop += 1;
      return () => undefined;
    case 'socket_duplicate':
      faults.socketDuplicate += 2;
      return () => undefined;
    case 'socket_swap':
      faults.socketSwap += 1;
      return () => undefined;
    case 'trading_paused':
      exchange.tradingActive = false;
      return () => Object.assign(exchange, { tradingActive: true });
    default:
      return disturbMarket(exchange, kind);
  }
}

/** Pauses, regrids, or closes a market for a while. */
function disturbMarket(
  exchange: Exchange,
  kind: 'market_paused' | 'market_grid' | 'market_reopened',
): () => void {
  const market = someMarket(exchange);
  if (!market) return () => undefined;
  const { structure, schedule } = market.state;
  recordOutageWindow(exchange, market);
  if (kind === 'market_paused') {
    changePaused(exchange, market, true);
    return () => changePaused(exchange, market, false);
  }
  if (kind === 'market_grid') {
    const other: TickStructure = structure === 'linear_cent' ? 'deci_cent' : 'linear_cent';
    changeGrid(exchange, market, other);
    return () => changeGrid(exchange, market, structure);
  }
  const { closeAt } = schedule;
  moveClose(exchange, market, exchange.clock.now());
  // Its result must wait until the market has reopened.
  schedule.determinedAt = closeAt;
  schedule.finalAt = Math.max(schedule.finalAt, closeAt + 1_000);
  followSchedules(exchange);
  return () => {
    moveClose(exchange, market, closeAt);
    followSchedules(exchange);
  };
}

function someMarket(exchange: Exchange): ExchangeMarket | undefined {
  const { misbehaviour, world } = exchange;
  const now = exchange.clock.now();
  const tickers = misbehaviour.tickers ?? tickersInUse(exchange);
  const found = tickers.flatMap((ticker) => world.markets.get(ticker) ?? []);
  const lasting = found.filter(
    (market) =>
      statusOf(market, now) === 'active' &&
      market.state.schedule.closeAt > now + misbehaviour.spellMs * 2,
  );
  return lasting[hash32(misbehaviour.seed, misbehaviour.draws.spell, 'market') % lasting.length];
}

function tickersInUse(exchange: Exchange): string[] {
  const held = [...exchange.accounts.values()].flatMap((account) => [...account.positions.keys()]);
  return [...new Set([...held, ...[...exchange.resting.values()].map((order) => order.ticker)])];
}
