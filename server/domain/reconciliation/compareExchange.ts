import { maxMicros, minMicros } from '#lib/money.ts';
import { parseClientOrderId } from '../orders/lifecycle/attempts.ts';
import { type Difference, keyOf } from './difference.ts';
import type { ExchangeSnapshot, Holding, InFlight, TradingBooks } from './readBooks.ts';

/** The most one contract can cost or bring, fee included; one more dollar when it nets a pair. */
const MOST_PER_CONTRACT = 2n;

/** The books before and after the exchange was read. */
export type TwoReadings = { before: TradingBooks; after: TradingBooks };

/**
 * Compares ledger and exchange: positions and cash. The exchange was read between two snapshots of
 * the ledger, so orders in flight at either may or may not be in its response.
 */
export function compareExchange(books: TwoReadings, exchange: ExchangeSnapshot): Difference[] {
  const inFlight = inFlightDuring(books, exchange);
  return [
    ...comparePositions(books.before, inFlight, exchange),
    ...compareCash(books, inFlight, exchange),
  ];
}

type HeldMarket = {
  /** The exchange nets the two sides: it reports Yes less No. */
  netContractMicros: bigint;
  isSettled: boolean;
  isTrading: boolean;
};

/** What the books hold, by market. */
function marketsOf(holdings: readonly Holding[]): Map<string, HeldMarket> {
  const markets = new Map<string, HeldMarket>();
  for (const { ticker, side, contractMicros, isSettled, isTrading } of holdings) {
    const signed = side === 'yes' ? contractMicros : -contractMicros;
    const other = markets.get(ticker);
    markets.set(ticker, {
      netContractMicros: (other?.netContractMicros ?? 0n) + signed,
      isSettled: isSettled || other?.isSettled === true,
      isTrading: isTrading || other?.isTrading === true,
    });
  }
  return markets;
}

/**
 * Pairs of Yes and No for which the exchange has paid back a dollar each: only in markets that it
 * has not paid out yet.
 */
export function nettedPairs(
  holdings: readonly Holding[],
  outsideNet: (ticker: string) => bigint = () => 0n,
): bigint {
  const sides = new Map<string, { yes: bigint; no: bigint }>();
  for (const { ticker, side, contractMicros, isSettled } of holdings) {
    if (isSettled) continue;
    const of = sides.get(ticker) ?? { yes: 0n, no: 0n };
    of[side] += contractMicros;
    sides.set(ticker, of);
  }
  let pairs = 0n;
  for (const [ticker, of] of sides) {
    const outside = outsideNet(ticker);
    const yes = of.yes + maxMicros(outside, 0n);
    const no = of.no + maxMicros(-outside, 0n);
    pairs += minMicros(yes, no);
  }
  return pairs;
}

/**
 * Whether the exchange lists every position that the ledger holds in unpaid markets: then every
 * payment of the exchange is recorded.
 */
export function showsAllHeld(books: TradingBooks, exchange: ExchangeSnapshot): boolean {
  return [...marketsOf(books.holdings)].every(([ticker, held]) => {
    if (held.isSettled) return true;
    const accepted = books.baselines.get(keyOf({ kind: 'exchange_position', subject: ticker }));
    return (exchange.netOf.get(ticker) ?? 0n) === held.netContractMicros + (accepted ?? 0n);
  });
}

/** Orders in flight in either snapshot, and fills recorded between the two. */
function inFlightDuring({ before, after }: TwoReadings, exchange: ExchangeSnapshot): InFlight[] {
  const heldBefore = new Map(
    before.holdings.map((one) => [`${one.ticker} ${one.side}`, one.contractMicros]),
  );
  const recorded = after.holdings.flatMap(({ ticker, side, contractMicros }): InFlight[] => {
    const change = contractMicros - (heldBefore.get(`${ticker} ${side}`) ?? 0n);
    if (change === 0n) return [];
    const tradeAction = change > 0n ? 'buy' : 'sell';
    const size = maxMicros(change, -change);
    return [{ orderId: '', ticker, side, tradeAction, contractMicros: size }];
  });
  const keyOfOrder = ({ orderId, tradeAction }: InFlight) => `${orderId} ${tradeAction}`;
  const both = [...before.inFlight, ...after.inFlight].map((one) => unrecorded(one, exchange));
  return [...new Map(both.map((one) => [keyOfOrder(one), one])).values(), ...recorded];
}

/** Of an order that the exchange shows as resting, only what it has filled beyond the books. */
function unrecorded(one: InFlight, { restingFilled }: ExchangeSnapshot): InFlight {
  const filled = one.resting && restingFilled.get(one.resting.clientOrderId);
  if (one.resting === undefined || filled === undefined) return one;
  const contractMicros = maxMicros(filled - one.resting.filledContractMicros, 0n);
  return { ...one, contractMicros };
}

function signedContracts({ side, tradeAction, contractMicros }: InFlight): bigint {
  return (side === 'yes') === (tradeAction === 'buy') ? contractMicros : -contractMicros;
}

function comparePositions(
  before: TradingBooks,
  inFlight: InFlight[],
  exchange: ExchangeSnapshot,
): Difference[] {
  const markets = marketsOf(before.holdings);
  const inFlightOf = Map.groupBy(inFlight, (one) => one.ticker);
  const tickers = new Set([...markets.keys(), ...exchange.netOf.keys()]);
  return [...tickers].flatMap((ticker): Difference[] => {
    const held = markets.get(ticker);
    if (isPaidOrAboutTo(ticker, held, exchange)) return [];
    const subject = { kind: 'exchange_position', subject: ticker } as const;
    const baseline = before.baselines.get(keyOf(subject)) ?? 0n;
    const expected = (held?.netContractMicros ?? 0n) + baseline;
    const actual = exchange.netOf.get(ticker) ?? 0n;
    const open = inFlightOf.get(ticker) ?? [];
    const possible = open.map(signedContracts);
    const most = possible.reduce((sum, one) => sum + maxMicros(one, 0n), expected);
    const least = possible.reduce((sum, one) => sum + minMicros(one, 0n), expected);
    if (actual >= least && actual <= most) return [];
    const orderIds = idsOf(open);
    const explanation = 'YES less NO contracts by fills in the books, net position at the exchange';
    const amounts = { expectedMicros: expected, actualMicros: actual };
    return [{ ...subject, ...amounts, tickers: [ticker], orderIds, explanation }];
  });
}

function idsOf(inFlight: readonly InFlight[]): string[] {
  return inFlight.map((one) => one.orderId).filter((id) => id !== '');
}

/** Markets whose contracts the exchange has, or may at any moment have, turned into cash. */
function isPaidOrAboutTo(
  ticker: string,
  held: HeldMarket | undefined,
  exchange: ExchangeSnapshot,
): boolean {
  if (held?.isSettled || exchange.paid.has(ticker)) return true;
  const isGone = (exchange.netOf.get(ticker) ?? 0n) === 0n;
  return isGone && held !== undefined && !held.isTrading;
}

function compareCash(
  { before, after }: TwoReadings,
  inFlight: InFlight[],
  exchange: ExchangeSnapshot,
): Difference[] {
  const subject = { kind: 'exchange_cash', subject: 'account' } as const;
  const opening = before.baselines.get(keyOf(subject));
  const paidUnbooked = [...marketsOf(before.holdings)].some(
    ([ticker, held]) =>
      held.netContractMicros !== 0n && !held.isSettled && isPaidOrAboutTo(ticker, held, exchange),
  );
  if (opening === undefined || paidUnbooked) return [];
  const expected = opening + cashByBooks(before);
  const slack = inFlight.reduce((sum, one) => sum + MOST_PER_CONTRACT * one.contractMicros, 0n);
  const off = exchange.cashUsdcMicros - expected;
  const inTransit = maxMicros(before.inTransitUsdcMicros, after.inTransitUsdcMicros);
  const reserved = maxMicros(reservedBy(before), reservedBy(after));
  if (off <= slack && -off <= slack + inTransit + reserved) return [];
  return [
    {
      ...subject,
      expectedMicros: expected,
      actualMicros: exchange.cashUsdcMicros,
      tickers: [],
      orderIds: idsOf(inFlight),
      explanation:
        'opening cash + treasury in the books + a dollar per netted pair, cash at the exchange',
    },
  ];
}

/**
 * Orders of ours that rest at the exchange, and do not in the books, or have filled something else
 * there. An order that moved between the readings differs in one of them only.
 */
export function compareResting(
  { before, after }: TwoReadings,
  { restingFilled }: ExchangeSnapshot,
): Difference[] {
  const recordedIn = ({ inFlight }: TradingBooks) =>
    new Map(inFlight.flatMap(({ resting }) => (resting ? [[resting.clientOrderId, resting]] : [])));
  const [first, second] = [recordedIn(before), recordedIn(after)];
  const placing = [...before.inFlight, ...after.inFlight].filter((one) => !one.resting);
  return [...restingFilled].flatMap(([clientOrderId, filled]): Difference[] => {
    const named = parseClientOrderId(clientOrderId);
    if (!named || placing.some((one) => one.orderId === named.orderId)) return [];
    const known = [first.get(clientOrderId), second.get(clientOrderId)];
    if (known.some((one) => one?.filledContractMicros === filled)) return [];
    return [
      {
        kind: 'exchange_order',
        subject: clientOrderId,
        expectedMicros: known[1]?.filledContractMicros ?? 0n,
        // An order that the books do not know differs even before it fills.
        actualMicros: known[1] === undefined ? filled + 1n : filled,
        tickers: [],
        orderIds: [named.orderId],
        explanation: 'contracts filled by an order that rests: books, exchange',
      },
    ];
  });
}

/** Cash that the exchange may keep apart for orders that rest. */
function reservedBy({ inFlight }: TradingBooks): bigint {
  return inFlight.reduce((sum, one) => sum + (one.resting?.reservedUsdcMicros ?? 0n), 0n);
}

/** The effect of trading on the cash: payments, proceeds, and a dollar per netted pair. */
export function cashByBooks(books: TradingBooks): bigint {
  const outsideNet = (ticker: string) =>
    books.baselines.get(keyOf({ kind: 'exchange_position', subject: ticker })) ?? 0n;
  return books.treasuryUsdcMicros + nettedPairs(books.holdings, outsideNet);
}
