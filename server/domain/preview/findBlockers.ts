import { ERROR_CODES, type ErrorCode } from '#lib/api/errorCodes.ts';
import { formatMicros } from '#lib/money.ts';
import type { FieldProblem, ServiceError } from '#server/platform/errors.ts';
import { currentGrant } from '../accounts/grants.ts';
import { shardCashOf } from '../collateral/shardCash.ts';
import { payoutsProblems } from '../orders/create/createCalldataOrder.ts';
import { holderProblems, receiverProblems } from '../orders/create/createOrder.ts';
import { reduceOnlyProblems } from '../orders/create/reduceOnly.ts';
import {
  isRedemption,
  marketTradeOf,
  type SizedTrade,
  tradeOnMarket,
} from '../orders/create/resolveTrade.ts';
import { amountPointer } from '../orders/create/validateTrade.ts';
import { grantProblem } from '../orders/lifecycle/grantProblem.ts';
import { rests } from '../orders/lifecycle/orderRow.ts';
import { ORDER_TTL_MS, placingBudgetMs, ROOM_WAIT_MS } from '../orders/lifecycle/placingTime.ts';
import { decideRoom } from '../orders/lifecycle/room/decideRoom.ts';
import {
  TERMINATION_REASONS,
  type TerminationReason,
} from '../orders/lifecycle/terminationReasons.ts';
import { cashNeededMicros, type Estimate, termsNow } from './estimateOrder.ts';
import type { PreviewFacts } from './previewFacts.ts';

export type Blocker = {
  code: ErrorCode | TerminationReason;
  /** The request is refused, the wallet's transaction fails, or the accepted order ends. */
  outcome: 'refused' | 'reverts' | 'ends';
  detail: string;
  errors: readonly FieldProblem[];
  retryAfterSeconds?: number | undefined;
};

/** An order on its market: what of it is valid, and what is wrong with it there. */
export type OnMarket = ReturnType<typeof tradeOnMarket>;

export function readOnMarket({
  parsed: { parts },
  outcome,
  market,
  own,
  now,
}: Pick<PreviewFacts, 'parsed' | 'outcome' | 'market' | 'own' | 'now'>): OnMarket {
  if (!outcome) return { trade: undefined, problems: [] };
  const named = { ...parts, ...outcome };
  return market
    ? tradeOnMarket(named, market, { own, now })
    : { trade: marketTradeOf(named), problems: [] };
}

/**
 * Every reason why an order would not be carried out now, in the order in which it would meet them:
 * what the request is refused for, then what locking the funds fails for, then what the accepted
 * order ends with.
 */
export function findBlockers(
  facts: PreviewFacts,
  onMarket: OnMarket,
  estimate: Estimate | undefined,
): Blocker[] {
  const { trade } = onMarket;
  const refused = findRefusals(facts, onMarket).map(asRefusal);
  if (!trade) return refused;
  const codes = new Set(refused.map(({ code }) => code));
  const later = [...findLockBlockers(trade, facts), ...findPlacingBlockers(trade, facts, estimate)];
  // The vault's room never suffices for an order that is too large.
  const isCovered = ({ code }: Blocker) =>
    code === 'no_delivery_room' && codes.has('order_too_large');
  return [...refused, ...later.filter((blocker) => !isCovered(blocker))];
}

function asRefusal({ code, detail, errors, retryAfterSeconds }: ServiceError): Blocker {
  return { code, outcome: 'refused', detail, errors, retryAfterSeconds };
}

/** What a request is refused for; an order is created without the first of these only. */
function findRefusals(facts: PreviewFacts, { trade, problems }: OnMarket): ServiceError[] {
  const { reducibleContractMicros: reducible } = facts;
  return [
    ...facts.callerProblems,
    ...facts.parsed.problems,
    ...facts.marketProblems,
    ...problems,
    ...findReceiverProblems(facts),
    ...(trade && reducible !== undefined ? reduceOnlyProblems(trade, reducible) : []),
    ...facts.suspensionProblems,
    ...facts.limitProblems,
  ];
}

function findReceiverProblems(facts: PreviewFacts): ServiceError[] {
  const { parsed, market, identity, payer, source, outcome } = facts;
  const { receiver } = parsed.parts;
  const redeems = market !== undefined && isRedemption(parsed.parts, market);
  if (source === 'api') return receiverProblems({ receiver, isRedemption: redeems }, identity);
  if (!redeems || !outcome) return [];
  return [
    ...holderProblems(payer, receiver ?? payer),
    ...payoutsProblems(outcome.ticker, market.settlement),
  ];
}

/** The field that sets the worst price. */
function limitPointer({ tradeAction, limit }: Pick<SizedTrade, 'tradeAction' | 'limit'>): string {
  if (limit) return '/order/limitPrice';
  return tradeAction === 'buy' ? '/order/maxQuoteQuantityIn' : '/order/minQuoteQuantityOut';
}

function ends(reason: TerminationReason, pointer: string, detail: string): Blocker {
  const text = TERMINATION_REASONS[reason];
  return { code: reason, outcome: 'ends', detail: text, errors: [{ pointer, detail }] };
}

/** USDC of a purchase, contracts of a sale. */
export function inputMicrosOf(trade: SizedTrade): bigint {
  return trade.tradeAction === 'buy' ? trade.quoteLimitUsdcMicros : trade.contractMicros;
}

/** What the payer has left for the order once accepted ones have taken their inputs. */
export function availableMicros(trade: SizedTrade, { account, awaited }: PreviewFacts): bigint {
  const isBuy = trade.tradeAction === 'buy';
  const taken = awaited.filter((one) =>
    isBuy
      ? one.tradeAction === 'buy'
      : one.tradeAction === 'sell' && one.ticker === trade.ticker && one.side === trade.side,
  );
  const held = isBuy ? account.usdcMicros : account.contractMicros;
  return held - taken.reduce((sum, { micros }) => sum + micros, 0n);
}

/** USDC micros of today's cap that the account has used, as far as the chain tells. */
export function usedTodayMicros({ account, awaited, now }: PreviewFacts): bigint {
  const { grant, leftTodayUsdcMicros } = account;
  const isLive = grant !== undefined && grant.validUntil * 1000n > BigInt(now.getTime());
  const used = isLive ? grant.maxPerDay - leftTodayUsdcMicros : 0n;
  return awaited.reduce((sum, one) => (one.isRedemption ? sum : sum + one.micros), used);
}

/** Why the order's funds cannot be locked, or its tokens not be redeemed. */
function findLockBlockers(trade: SizedTrade, facts: PreviewFacts): Blocker[] {
  const needed = inputMicrosOf(trade);
  const pointer = amountPointer(facts.parsed.parts);
  const available = availableMicros(trade, facts);
  const unit = trade.tradeAction === 'buy' ? 'USDC' : 'contracts';
  const left = available > 0n ? available : 0n;
  const short = `needs ${formatMicros(needed)} ${unit}; the account has ${formatMicros(left)} available`;
  const blockers = needed > available ? [ends('insufficient_funds', pointer, short)] : [];
  if (trade.isRedemption) return facts.source === 'api' ? blockers : blockers.map(asRevert);
  const paused = facts.room?.room.isPaused ? [ends('contracts_paused', '', 'are paused')] : [];
  if (facts.source === 'api') {
    const { perOrder, perDay } = findGrantBlockers(trade, facts);
    return [...blockers, ...perOrder, ...paused, ...perDay];
  }
  return [...paused, ...findAllowanceBlockers(trade, facts), ...blockers].map(asRevert);
}

function asRevert(blocker: Blocker): Blocker {
  return { ...blocker, outcome: 'reverts' };
}

function findAllowanceBlockers(
  trade: SizedTrade,
  { allowanceUsdcMicros }: PreviewFacts,
): Blocker[] {
  if (trade.tradeAction === 'sell' || allowanceUsdcMicros === undefined) return [];
  const needed = trade.quoteLimitUsdcMicros;
  if (allowanceUsdcMicros >= needed) return [];
  const code = 'insufficient_allowance';
  const allowed = formatMicros(allowanceUsdcMicros);
  const detail = `must be true: the vault may take ${allowed} USDC of ${formatMicros(needed)}`;
  const errors = [{ pointer: '/includeTokenTransfer', detail }];
  return [{ code, outcome: 'reverts', detail: `${ERROR_CODES[code].title}.`, errors }];
}

type GrantBlockers = { perOrder: Blocker[]; perDay: Blocker[] };

/** The account checks the daily cap when the funds are locked, everything else is checked before. */
function findGrantBlockers(trade: SizedTrade, facts: PreviewFacts): GrantBlockers {
  const { account, recordedGrant, vault, now } = facts;
  const grant = currentGrant(account, recordedGrant)?.grant;
  const needed = inputMicrosOf(trade);
  // The order itself is signed when it is placed.
  const need = { orderUsdcMicros: needed, isSigned: true };
  const problem = grantProblem(grant, vault, need, now);
  if (problem === 'grant_exceeded') {
    const most = formatMicros(grant?.maxPerOrder ?? 0n);
    const detail = `is above the permission’s cap of ${most} per order`;
    return { perOrder: [ends(problem, amountPointer(facts.parsed.parts), detail)], perDay: [] };
  }
  if (problem || !grant) {
    const detail =
      problem === 'grant_expired' ? 'has an expired permission' : 'has given no permission';
    const blocker = ends(problem ?? 'grant_required', '/userAddress', detail);
    return { perOrder: [blocker], perDay: [] };
  }
  const used = usedTodayMicros(facts);
  if (used + needed <= grant.maxPerDay) return { perOrder: [], perDay: [] };
  const left = grant.maxPerDay > used ? grant.maxPerDay - used : 0n;
  const detail = `is above what the permission’s cap per day leaves today: ${formatMicros(left)}`;
  return {
    perOrder: [],
    perDay: [ends('grant_exceeded', amountPointer(facts.parsed.parts), detail)],
  };
}

/** Why the exchange would not be asked, or not fill anything. */
function findPlacingBlockers(
  trade: SizedTrade,
  facts: PreviewFacts,
  estimate: Estimate | undefined,
): Blocker[] {
  if (trade.isRedemption || !estimate) return [];
  const terms = termsNow(trade, facts);
  const unfilled = findMatchBlockers(trade, facts, estimate);
  // The terms of an order for an amount follow from the book, so it is looked at first.
  if (!terms) return [...unfilled, ...findRoomBlockers(trade, facts)];
  // A resting order takes room only for what it has filled.
  const room = trade.limit && rests(trade.limit) ? [] : findRoomBlockers(trade, facts);
  return [...room, ...findCashBlockers(trade, facts, cashNeededMicros(terms)), ...unfilled];
}

/** What the exchange ends the order for on arrival. */
function findMatchBlockers(
  trade: SizedTrade,
  { parsed }: PreviewFacts,
  estimate: Estimate,
): Blocker[] {
  const { limit } = trade;
  if (estimate.filledContractMicros > 0n || estimate.resting) return [];
  if (limit?.isPostOnly) {
    return [ends('post_only_would_cross', '/order/limitPrice', 'matches what the book offers')];
  }
  // Within our own levels there is no price to send.
  if (limit?.timeInForce === 'FOK' && estimate.limitPriceMicros !== undefined) {
    const detail = 'is more than the book offers within the limit price';
    return [ends('not_filled_whole', amountPointer(parsed.parts), detail)];
  }
  const detail = 'allows no price at which the book fills anything';
  return [ends('price_moved', limitPointer(trade), detail)];
}

const PREVIEW_ID = 'preview';

function findRoomBlockers(trade: SizedTrade, facts: PreviewFacts): Blocker[] {
  const { room: reading, now, absenceMs } = facts;
  if (!reading) return [];
  const { room, held, waiting } = reading;
  const placingMs = placingBudgetMs({ absenceMs }) + ROOM_WAIT_MS;
  const candidate = {
    id: PREVIEW_ID,
    tradeAction: trade.tradeAction,
    usdcMicros: inputMicrosOf(trade),
    createdAt: now,
    waitsUntil: new Date(now.getTime() + ORDER_TTL_MS - placingMs),
  };
  const candidates = [...waiting, candidate];
  const decision = decideRoom({ room, held, candidates, now }).get(PREVIEW_ID);
  if (typeof decision !== 'object') return [];
  const detail =
    decision.reason === 'payout_unfunded'
      ? 'is more than the vault can pay for now'
      : 'is more than the vault delivers within the next minutes';
  return [ends(decision.reason, amountPointer(facts.parsed.parts), detail)];
}

/** Purchases need cash on the market's shard; the service brings it there if it has it elsewhere. */
function findCashBlockers(
  trade: SizedTrade,
  { cash, market }: PreviewFacts,
  neededMicros: bigint,
): Blocker[] {
  if (trade.tradeAction === 'sell' || !cash || !market) return [];
  const { shard } = market.trading.market;
  const own = cash.balances.find((one) => one.shard === shard);
  if (!own || own.balanceMicros >= neededMicros) return [];
  const found = shardCashOf(cash, { shard, needMicros: trade.quoteLimitUsdcMicros });
  if (found !== 'lacking') return [];
  return [ends('exchange_unfunded', '/order/baseToken', 'its market has too little cash of ours')];
}
