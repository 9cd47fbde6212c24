import type { Account } from './ledger.ts';
import type { ExchangeMarket } from './market.ts';
import type { Exchange } from './state.ts';

/**
 * The archive: ended data that is older than a cutoff leaves the live endpoints and is served under
 * `/historical` only.
 */

const DAY_MS = 86_400_000;

/** The ages at which data is archived; the control endpoint may change them. */
export type ArchiveAges = {
  /** Of ended orders, since they ended. */
  ordersMs: number;
  /** Of trades and fills. */
  tradesMs: number;
  /** Of markets and their candles, since they were settled. */
  marketsMs: number;
  /** Of positions and settlements in settled events. */
  positionsMs: number;
};

export const USUAL_AGES: ArchiveAges = {
  ordersMs: 14 * DAY_MS,
  tradesMs: 90 * DAY_MS,
  marketsMs: 90 * DAY_MS,
  positionsMs: 90 * DAY_MS,
};

/** What happened before these moments is archived. */
export function cutoffsOf({ clock, archiveAges }: Exchange) {
  const now = clock.now();
  return {
    orders: now - archiveAges.ordersMs,
    trades: now - archiveAges.tradesMs,
    markets: now - archiveAges.marketsMs,
    positions: now - archiveAges.positionsMs,
  };
}

export function isArchived(exchange: Exchange, { state }: ExchangeMarket): boolean {
  if (state.archived) return true;
  return state.settled && state.schedule.finalAt < cutoffsOf(exchange).markets;
}

/** The account's positions that are archived. Those of one event move together, once all ended. */
export function archivedPositions(exchange: Exchange, account: Account): Set<string> {
  const cutoff = cutoffsOf(exchange).positions;
  const archived = [...account.positions].filter(([ticker, position]) => {
    const event = exchange.world.markets.get(ticker)?.event;
    const siblings = event?.markets ?? [];
    return (
      position.updatedAt < cutoff &&
      siblings.every(
        (market) =>
          market.state.settled && (account.positions.get(market.ticker)?.updatedAt ?? 0) < cutoff,
      )
    );
  });
  return new Set(archived.map(([ticker]) => ticker));
}
