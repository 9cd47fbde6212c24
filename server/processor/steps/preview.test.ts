import fc from 'fast-check';
import { type Address, zeroAddress } from 'viem';
import { expect, test } from 'vitest';
import { type AnyOrderRequest, anyOrderRequestSchema } from '#lib/api/schemas/order.ts';
import { minMicros } from '#lib/money.ts';
import { largestDelivery, type VaultRoom } from '#server/chain/vaultRoom.ts';
import { reduceOnlyProblems } from '#server/domain/orders/create/reduceOnly.ts';
import { isRedemption, tradeOnMarket } from '#server/domain/orders/create/resolveTrade.ts';
import { parseTrade } from '#server/domain/orders/create/validateTrade.ts';
import type { OwnLevels } from '#server/domain/orders/lifecycle/ownLevels.ts';
import type { PreviewFacts } from '#server/domain/preview/previewFacts.ts';
import { assess } from '#server/domain/preview/previewOrder.ts';
import type { OrderBook } from '#server/exchange/port.ts';
import { isServiceError, ServiceError, throwFirst } from '#server/platform/errors.ts';
import { carryOut, type Ending, redeem } from './testing/carryOut.ts';
import { ACCOUNT, account, buy, fromNow, market, NOW, VAULT } from './testing/given.ts';

/** A preview of a random order in a random state says what creation and steps then do with it. */

/** Ten thousand orders take a busy machine more than a minute. */
const TIMEOUT_MS = 600_000;

const TICKER = 'RAIN';
const OWNER = '0x00000000000000000000000000000000000000A2';
const STRANGER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const USDC = '0x00000000000000000000000000000000000000B1';
const contracts = {
  usdc: USDC,
  outcomeToken: STRANGER,
  swapVault: VAULT,
  settlement: VAULT,
  accountFactory: STRANGER,
} as const;
const USDC_TOKEN = { type: 'chain', data: { tokenId: '0', chainId: 8453, contractAddress: USDC } };
const BASE_TOKEN = (side: string) => ({ type: 'venue', data: { marketId: TICKER, side } });

const usually = <Value>(value: Value, ...others: Value[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(value) }, fc.constantFrom(value, ...others));
const rarely = fc.oneof({ weight: 15, arbitrary: fc.constant(false) }, fc.constant(true));
const micros = (most: bigint) => fc.bigInt({ min: 0n, max: most * 1_000_000n });
const plenty = (most: bigint) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(100_000_000_000n) }, micros(most));
const levels = fc.uniqueArray(
  fc.record({ cents: fc.integer({ min: 1, max: 99 }), count: fc.integer({ min: 1, max: 20_000 }) }),
  { maxLength: 6, selector: ({ cents }) => cents },
);

const state = fc.record({
  action: fc.constantFrom('BUY', 'SELL'),
  side: fc.constantFrom<('yes' | 'no')[]>('yes', 'no'),
  quantity: fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 1, max: 30_000 }).map((steps) => `${steps / 100}`) },
    fc.constantFrom('0', '0.005', '1.2345678', '1000000001'),
  ),
  /** Of a dollar per contract, in thousandths. */
  limit: fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 1, max: 1_000 }) },
    fc.constantFrom(0, 1_001, 5_000),
  ),
  isForAmount: fc.boolean(),
  timeInForce: fc.constantFrom(undefined, 'GTC', 'GTD', 'IOC', 'FOK'),
  /** The price of a limit order. */
  price: fc.oneof(
    { weight: 15, arbitrary: fc.integer({ min: 1, max: 99 }).map((cents) => `${cents / 100}`) },
    fc.constantFrom('0', '0.555', '1', '0.1234567'),
  ),
  /** Of a stop order. */
  trigger: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    fc.record({
      triggerPrice: fc.oneof(
        { weight: 15, arbitrary: fc.integer({ min: 1, max: 99 }).map((cents) => `${cents / 100}`) },
        fc.constantFrom('0', '0.555', '1'),
      ),
      direction: fc.constantFrom('above', 'below'),
      triggerSource: fc.constantFrom(undefined, 'bid', 'ask', 'last'),
    }),
  ),
  endsInMinutes: usually(60, 0.5, 200_000),
  isPostOnly: fc.boolean(),
  isReduceOnly: rarely,
  reducibleMicros: micros(200n),
  ownBidCents: fc.option(fc.integer({ min: 1, max: 99 }), { freq: 4 }),
  ownAskCents: fc.option(fc.integer({ min: 1, max: 99 }), { freq: 4 }),
  chainId: usually(8453, 1),
  isForeignQuote: rarely,
  receiver: usually<string | undefined>(undefined, ACCOUNT, OWNER, STRANGER, zeroAddress),
  status: usually('open', 'paused', 'unopened', 'closed', 'settled'),
  payoutYesMicros: fc.option(micros(1n)),
  feeMultiplierMicros: fc.constantFrom(undefined, 0n, 500_000n, 1_000_000n),
  yes: levels,
  no: levels,
  isWrongOwner: rarely,
  isSuspended: rarely,
  isLimited: rarely,
  isPaused: rarely,
  usdcMicros: plenty(200n),
  contractMicros: plenty(200n),
  grant: usually('live', 'none', 'foreign', 'expired'),
  maxPerOrder: plenty(200n),
  maxPerDay: plenty(400n),
  orderedToday: micros(50n),
  recorded: usually('none', 'newer', 'older'),
  recordedPerOrder: plenty(200n),
  hasEarlierOrder: rarely,
  earlierMicros: micros(100n),
  mintPerHour: plenty(500n),
  mintRoom: plenty(500n),
  payoutPerHour: plenty(500n),
  payoutRoom: plenty(500n),
  funds: plenty(500n),
  boughtMicros: micros(20n),
  soldMicros: micros(400n),
  hasCash: usually(true, false),
  shardMicros: plenty(300n),
  elsewhereMicros: micros(300n),
  isAllocated: fc.boolean(),
});

type State = typeof state extends fc.Arbitrary<infer Value> ? Value : never;

function requestOf(given: State): AnyOrderRequest {
  const { action, side, isForeignQuote, receiver } = given;
  return anyOrderRequestSchema.parse({
    orderType: given.timeInForce ? 'LimitOrder' : 'MarketOrder',
    order: {
      quoteToken: isForeignQuote ? BASE_TOKEN(side) : USDC_TOKEN,
      baseToken: BASE_TOKEN(side),
      orderType: action,
      ...termsOf(given),
      ...given.trigger,
    },
    chainId: given.chainId,
    userAddress: OWNER,
    ...(receiver && { receiverAddress: receiver }),
  });
}

function termsOf(given: State) {
  const { action, quantity, limit, isForAmount, timeInForce, isPostOnly, isReduceOnly } = given;
  const total = (Number(quantity) * limit) / 1_000;
  const amount = total.toFixed(6).replace(/\.?0+$/, '');
  const isBuy = action === 'BUY';
  if (!timeInForce) {
    return {
      baseQuantity: quantity,
      ...(isBuy ? { maxQuoteQuantityIn: amount } : { minQuoteQuantityOut: amount }),
      ...(isBuy && isForAmount && { sizedBy: 'maxQuoteQuantityIn' }),
    };
  }
  const mayRest = timeInForce === 'GTC' || timeInForce === 'GTD';
  const expiresAt = fromNow(given.endsInMinutes * 60_000).toISOString();
  return {
    ...(isBuy && isForAmount ? { maxQuoteQuantityIn: amount } : { baseQuantity: quantity }),
    limitPrice: given.price,
    timeInForce,
    ...(timeInForce === 'GTD' && { expiresAt }),
    postOnly: mayRest && isPostOnly,
    reduceOnly: isReduceOnly,
  };
}

/** Our own orders never meet each other. */
function ownOf({ ownBidCents, ownAskCents }: State): OwnLevels {
  const bidMicros = BigInt(ownBidCents ?? 0) * 10_000n;
  const askMicros = BigInt(ownAskCents ?? 0) * 10_000n;
  return {
    ...(bidMicros > 0n && { bidMicros }),
    ...(askMicros > bidMicros && { askMicros }),
  };
}

function roomOf(given: State): VaultRoom {
  return {
    blockNumber: 1n,
    blockHash: '0x1',
    at: NOW,
    isPaused: given.isPaused,
    mint: {
      roomUsdcMicros: minMicros(given.mintRoom, given.mintPerHour),
      perHourUsdcMicros: given.mintPerHour,
    },
    payout: {
      roomUsdcMicros: minMicros(given.payoutRoom, given.payoutPerHour),
      perHourUsdcMicros: given.payoutPerHour,
    },
    fundsUsdcMicros: given.funds,
  };
}

function bookOf({ yes, no }: State): OrderBook {
  const bids = (side: State['yes']) =>
    side
      .map(({ cents, count }) => ({
        priceMicros: BigInt(cents) * 10_000n,
        contractMicros: BigInt(count) * 10_000n,
      }))
      .toSorted((a, b) => Number(b.priceMicros - a.priceMicros));
  return { ticker: TICKER, yesBids: bids(yes), noBids: bids(no) };
}

function tradingOf({ status, payoutYesMicros, feeMultiplierMicros: multiplierMicros }: State) {
  const isSettled = status === 'settled' && payoutYesMicros !== null;
  const result = {
    payoutYesMicros: payoutYesMicros ?? 0n,
    result: 'scalar',
    settledAt: NOW,
  } as const;
  return {
    market: market({ status: status as 'open', ...(isSettled && { final: result }) }),
    fee:
      multiplierMicros === undefined
        ? ({ kind: 'waived' } as const)
        : ({ kind: 'quadratic', takerRateMicros: 70_000n, multiplierMicros } as const),
  };
}

function accountOf(given: State) {
  const { grant: kind, maxPerOrder, maxPerDay, orderedToday } = given;
  const snapshot = account();
  if (!snapshot.grant) throw new Error('the account has a grant');
  const operator: Address = kind === 'foreign' ? STRANGER : VAULT;
  const validUntil = kind === 'expired' ? 1n : snapshot.grant.validUntil;
  const isLive = kind === 'live' || kind === 'foreign';
  const used = isLive ? minMicros(orderedToday, maxPerDay) : 0n;
  return {
    used,
    snapshot: {
      ...snapshot,
      usdcMicros: given.usdcMicros,
      contractMicros: given.contractMicros,
      grant:
        kind === 'none'
          ? undefined
          : { ...snapshot.grant, operator, validUntil, maxPerOrder, maxPerDay },
      leftTodayUsdcMicros: isLive ? maxPerDay - used : 0n,
    } as const,
  };
}

function recordedOf({ recorded, recordedPerOrder, maxPerDay }: State) {
  const { grant, nextGrantNonce } = account();
  if (recorded === 'none' || !grant) return undefined;
  const nonce = recorded === 'newer' ? nextGrantNonce : nextGrantNonce - 1n;
  const terms = { ...grant, nonce, maxPerOrder: recordedPerOrder, maxPerDay };
  return { grant: terms, signature: '0x', status: 'relayed', signedAt: NOW } as const;
}

/** Orders accepted before this one leave it what it needs only if the account has enough of it. */
function awaitedOf(given: State): PreviewFacts['awaited'] {
  const { earlierMicros, maxPerDay, orderedToday, usdcMicros, contractMicros } = given;
  const tradeAction = given.action === 'BUY' ? ('buy' as const) : ('sell' as const);
  const most = tradeAction === 'buy' ? usdcMicros : contractMicros;
  if (!given.hasEarlierOrder || earlierMicros > most || earlierMicros > maxPerDay - orderedToday) {
    return [];
  }
  const { side } = given;
  return [{ ticker: TICKER, side, tradeAction, micros: earlierMicros, isRedemption: false }];
}

const problem = (code: 'wrong_owner' | 'market_suspended' | 'trading_limit_reached') =>
  new ServiceError(code, 'It is so.');

function factsOf(given: State, body: AnyOrderRequest) {
  const trading = tradingOf(given);
  const room = roomOf(given);
  const parsed = parseTrade({ id: 8453, contracts }, body);
  const { snapshot, used } = accountOf(given);
  const marketFacts = {
    trading,
    settlement: undefined,
    payoutYesMicros: trading.market.final?.payoutYesMicros,
    largest: largestDelivery(room),
  };
  const redeems = isRedemption(parsed.parts, marketFacts);
  const heldBy = (usdcMicros: bigint) => ({ usdcMicros, filledUsdcMicros: usdcMicros });
  const held = { buy: heldBy(given.boughtMicros), sell: heldBy(given.soldMicros) };
  const facts: PreviewFacts = {
    now: NOW,
    source: 'api',
    callerProblems: given.isWrongOwner ? [problem('wrong_owner')] : [],
    parsed,
    isForAmount: body.orderType === 'MarketOrder' && body.order.sizedBy === 'maxQuoteQuantityIn',
    outcome: { ticker: TICKER, side: given.side },
    marketProblems: [],
    market: marketFacts,
    reading: trading.market.status === 'open' ? { book: bookOf(given), asOf: NOW } : undefined,
    own: ownOf(given),
    reducibleContractMicros: parsed.parts.limitOrder?.reduceOnly
      ? given.reducibleMicros
      : undefined,
    suspensionProblems: given.isSuspended && !redeems ? [problem('market_suspended')] : [],
    limitProblems:
      given.isLimited && given.action === 'BUY' ? [problem('trading_limit_reached')] : [],
    identity: { owner: OWNER, account: ACCOUNT },
    payer: ACCOUNT,
    sender: OWNER,
    account: snapshot,
    recordedGrant: recordedOf(given),
    awaited: awaitedOf(given),
    vault: VAULT,
    includesApproval: true,
    allowanceUsdcMicros: undefined,
    room: { room, held, waiting: [] },
    cash: given.hasCash
      ? {
          balances: [
            { shard: trading.market.shard, balanceMicros: given.shardMicros },
            { shard: 9, balanceMicros: given.elsewhereMicros },
          ],
          inTransitMicros: 0n,
          isAllocated: given.isAllocated,
        }
      : undefined,
    absenceMs: 45_000,
  };
  return { facts, orderedTodayMicros: used };
}

type Outcome = { refused: string } | Ending;

/** What creation and the steps do. */
function happens(given: State, body: AnyOrderRequest): Outcome {
  const { facts, orderedTodayMicros } = factsOf(given, body);
  if (given.isWrongOwner) return { refused: 'wrong_owner' };
  try {
    const { parts, problems } = parseTrade({ id: 8453, contracts }, body);
    throwFirst(problems);
    const { receiver = ACCOUNT } = parts;
    const { market: ofMarket, outcome, own } = facts;
    if (!ofMarket || !outcome) throw new Error('the state has a market');
    const found = tradeOnMarket({ ...parts, ...outcome }, ofMarket, { own, now: NOW });
    throwFirst(found.problems);
    if (!found.trade) throw new Error('a trade without problems has a size');
    const { isRedemption: redeems, limit, trigger, ...trade } = found.trade;
    const receivers: string[] = redeems ? [ACCOUNT] : [ACCOUNT, OWNER];
    if (!receivers.includes(receiver)) return { refused: 'receiver_not_allowed' };
    if (limit?.isReduceOnly) throwFirst(reduceOnlyProblems(trade, given.reducibleMicros));
    if (given.isSuspended && !redeems) return { refused: 'market_suspended' };
    if (given.isLimited && trade.tradeAction === 'buy') return { refused: 'trading_limit_reached' };
    const times = { createdAt: NOW, expiresAt: fromNow(600_000) };
    const row = buy({ ...trade, ...limit, ...trigger, ...times, action: { order: body.order } });
    const world = { ...facts, orderedTodayMicros };
    return redeems ? redeem({ ...row, isRedemption: true }, world) : carryOut(row, world);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return { refused: error.code };
  }
}

/** What the preview says will happen. */
function foretold(given: State, body: AnyOrderRequest): Outcome {
  const { blockers, estimate } = assess(factsOf(given, body).facts);
  const [first] = blockers;
  if (first?.outcome === 'refused') return { refused: first.code };
  if (first) return { reason: first.code };
  if (given.trigger && !estimate) return { waits: true };
  if (!estimate) throw new Error('an order that nothing blocks has an estimate');
  const filled = {
    filledContractMicros: estimate.filledContractMicros,
    quoteUsdcMicros: estimate.quoteUsdcMicros,
    feeUsdcMicros: estimate.feeUsdcMicros,
  };
  const { timeInForce } = given;
  if (timeInForce === 'GTC' || timeInForce === 'GTD') {
    return { filled, restingContractMicros: estimate.resting?.contractMicros ?? 0n };
  }
  return {
    filled: {
      ...filled,
      returnedUsdcMicros: estimate.returnedUsdcMicros,
      returnedContractMicros: estimate.returnedContractMicros,
    },
  };
}

function nameOf(outcome: Outcome): string {
  if ('refused' in outcome) return outcome.refused;
  if ('reason' in outcome) return outcome.reason;
  if ('waits' in outcome) return 'waits';
  return outcome.restingContractMicros ? 'rests' : 'filled';
}

/** @returns how often each way out was taken */
function compare(numRuns: number): Map<string, number> {
  const seen = new Map<string, number>();
  const agrees = fc.property(state, (given) => {
    const body = requestOf(given);
    const then = happens(given, body);
    const name = nameOf(then);
    seen.set(name, (seen.get(name) ?? 0) + 1);
    const said = foretold(given, body);
    if ('filled' in then && 'filled' in said) expect(then).toMatchObject(said);
    else expect(said).toEqual(then);
  });
  fc.assert(agrees, { numRuns });
  // States that always end before the exchange would prove little.
  for (const name of ['filled', 'rests', 'waits']) {
    expect(seen.get(name), name).toBeGreaterThan(numRuns / 100);
  }
  return seen;
}

const TITLE = 'orders in any state do what their preview says';

test(`given 500, ${TITLE}`, () => void compare(500), TIMEOUT_MS);

test(`given 10,000, ${TITLE}`, { tags: ['long'], timeout: TIMEOUT_MS }, () => {
  const seen = compare(10_000);
  expect([...seen.keys()].toSorted()).toEqual(WAYS_OUT.toSorted());
});

const WAYS_OUT = [
  'filled',
  'waits',
  'wrong_owner',
  'unsupported_chain',
  'unsupported_token',
  'quantity_not_allowed',
  'limit_not_allowed',
  'receiver_not_allowed',
  'market_not_open',
  'order_too_large',
  'market_suspended',
  'trading_limit_reached',
  'insufficient_funds',
  'grant_required',
  'grant_expired',
  'grant_exceeded',
  'contracts_paused',
  'no_delivery_room',
  'payout_unfunded',
  'exchange_unfunded',
  'price_moved',
  'rests',
  'price_not_allowed',
  'deadline_not_allowed',
  'crosses_open_order',
  'reduce_only_not_held',
  'not_filled_whole',
  'post_only_would_cross',
];
