import { minMicros } from '#lib/money.ts';
import type { AccountSnapshot } from '#server/chain/accountSnapshot.ts';
import { currentGrant } from '#server/domain/accounts/grants.ts';
import { shardCashOf } from '#server/domain/collateral/shardCash.ts';
import { takerFeeMicros } from '#server/domain/markets/quotes/feeCharge.ts';
import type { OrderRow } from '#server/domain/orders/lifecycle/orderRow.ts';
import { asTradeOrder } from '#server/domain/orders/lifecycle/orderRow.ts';
import { crosses } from '#server/domain/orders/lifecycle/ownLevels.ts';
import { decideRoom } from '#server/domain/orders/lifecycle/room/decideRoom.ts';
import type { PreviewFacts } from '#server/domain/preview/previewFacts.ts';
import type { Redemption, Settlement } from '#server/domain/settlement/settlementStore.ts';
import type { ExchangeFill, PlaceOrderOutcome } from '#server/exchange/port.ts';
import { afterSending } from '../afterSending.ts';
import type { Decision } from '../decision.ts';
import type { Facts } from '../facts.ts';
import { decideRedeem } from '../redeem.ts';
import { decideRequest } from '../request.ts';
import { decideRest } from '../rest.ts';
import { decideStoring } from '../storeAttempt.ts';
import { decideTrigger } from '../trigger.ts';
import { atExchange, attempt, event, facts as given, NOW, operation } from './given.ts';

/** How an accepted order ends in a world that stays as it is. */
export type Ending =
  | { reason: string }
  /** For its trigger price. */
  | { waits: true }
  | { filled: Partial<OrderRow>; restingContractMicros?: bigint };

type World = PreviewFacts & {
  /** USDC micros that the account has already ordered today. */
  orderedTodayMicros: bigint;
};

const MOST_STEPS = 20;

/** Runs the steps of an order that the service places, on models of the contracts and exchange. */
export function carryOut(order: OrderRow, world: World): Ending {
  const locked = lock(order, world);
  if (locked) return locked;
  return order.triggerPriceMicros === null
    ? place({ ...order, stage: 'place', status: 'validated' }, world)
    : wait({ ...order, stage: 'trigger', status: 'validated' }, world);
}

/** A stop order whose price is not reached. */
function wait(order: OrderRow, world: World): Ending {
  const { market, room, reducibleContractMicros: reducibleMicros } = world;
  if (!market) throw new Error('an accepted order has a market');
  const decision = decideTrigger(
    order,
    given({
      context: { events: event('requested') },
      halt: null,
      isVaultPaused: room?.room.isPaused ?? false,
      account: withRecordedGrant(world.account, world),
      market: market.trading,
      ...(reducibleMicros !== undefined && { reducibleMicros }),
    }),
    NOW,
  );
  if (decision.kind !== 'transition') throw new Error(`waiting asks for ${decision.kind}`);
  const { endingReason } = decision.set ?? {};
  return endingReason ? { reason: endingReason } : { waits: true };
}

/** Until the vault holds the input; undefined once it does. */
function lock(order: OrderRow, world: World): Ending | undefined {
  let facts: Facts = given({});
  let account = afterEarlierOrders(world);
  let isConfirmed = false;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const known = { ...facts, isConfirmed, account, recordedGrant: world.recordedGrant ?? null };
    const decision = decideRequest(order, known, NOW);
    if (decision.kind === 'pause') isConfirmed = true;
    else if (decision.kind === 'need') facts = { ...facts, ...noFacts(decision.fact) };
    else if (decision.set?.terminationReason) return { reason: decision.set.terminationReason };
    else {
      const [sent] = decision.operations ?? [];
      if (sent?.kind === 'grant') account = withRecordedGrant(account, world);
      else if (sent?.kind === 'request') {
        const failure = requestFailure(order, account, world);
        if (failure === undefined) return undefined;
        const operations = operation('request', 'failed', { failure });
        facts = given({ context: { operations } });
      } else throw new Error(`the lock stops at ${JSON.stringify(decision.kind)}`);
    }
  }
  throw new Error('the lock does not end');
}

function noFacts(fact: string): Partial<Facts> {
  if (fact === 'isGrantUnderWay') return { isGrantUnderWay: false };
  if (fact === 'isGrantMarked') return { isGrantMarked: true };
  throw new Error(`the lock asks for ${fact}`);
}

/** Accepted orders take their inputs first. */
function afterEarlierOrders({ account, awaited }: World): AccountSnapshot {
  const sum = (action: 'buy' | 'sell') =>
    awaited.reduce((total, one) => (one.tradeAction === action ? total + one.micros : total), 0n);
  return {
    ...account,
    usdcMicros: account.usdcMicros - sum('buy'),
    contractMicros: account.contractMicros - sum('sell'),
  };
}

function withRecordedGrant(account: AccountSnapshot, { recordedGrant }: World): AccountSnapshot {
  const taken = currentGrant(account, recordedGrant);
  if (!taken) throw new Error('there is no grant to record');
  return { ...account, grant: taken.grant, nextGrantNonce: account.nextGrantNonce + 1n };
}

/** What the contracts check, in their order. */
function requestFailure(
  { tradeAction, quoteLimitUsdcMicros, contractMicros }: OrderRow,
  { grant, usdcMicros, contractMicros: held }: AccountSnapshot,
  { room, awaited, orderedTodayMicros }: World,
): string | undefined {
  const input = (tradeAction === 'buy' ? quoteLimitUsdcMicros : contractMicros) ?? 0n;
  if (room?.room.isPaused) return 'VaultPaused';
  if (!grant || input > grant.maxPerOrder) return 'OverOrderCap';
  const ordered = awaited.reduce((sum, one) => sum + one.micros, orderedTodayMicros);
  if (ordered + input > grant.maxPerDay) return 'OverDayCap';
  return input > (tradeAction === 'buy' ? usdcMicros : held) ? 'InsufficientBalance' : undefined;
}

/** From the lock to the exchange's response. */
function place(order: OrderRow, world: World): Ending {
  const events = event('requested');
  let facts: Facts = given({ context: { events }, halt: null, isBeyondLimits: false });
  let cash = world.cash;
  let number = 1;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const decision = decideStoring(asTradeOrder(order), facts, NOW, number);
    const reason = decision.kind === 'transition' ? decision.set?.endingReason : undefined;
    if (reason) return { reason };
    if (decision.kind === 'need') {
      facts = { ...facts, ...factFor(decision.fact, order, world, cash) };
      continue;
    }
    const sent = decision.attempt;
    if (!sent) {
      // It waits for cash, which the service brings.
      const shard = world.market?.trading.market.shard ?? 0;
      const total = (cash?.inTransitMicros ?? 0n) + totalOf(cash);
      cash = {
        inTransitMicros: 0n,
        isAllocated: true,
        balances: [{ shard, balanceMicros: total }],
      };
      facts = { ...facts, shardCash: 'enough' };
      continue;
    }
    const fills = match(order, world, sent);
    const stored = { ...sent, storedAt: NOW };
    const outcome = respond(order, world, cash, stored, fills);
    const next = afterSending(asTradeOrder(order), { ...facts, newFills: fills }, NOW, {
      attempt: stored,
      outcome,
    });
    const end = endOf(next);
    if (end) return end;
    if (outcome.kind === 'done') return rest({ ...order, stage: 'rest' }, fills, sent);
    number += 1;
    const { shard = 0 } = sent;
    const last = attempt('no_fill', { shard, code: 'insufficient_balance', attempt: number - 1 });
    facts = given({ context: { events, attempt: last }, halt: null, isBeyondLimits: false });
  }
  throw new Error('placing the order does not end');
}

function totalOf(cash: World['cash']): bigint {
  return (cash?.balances ?? []).reduce((sum, { balanceMicros }) => sum + balanceMicros, 0n);
}

function factFor(fact: string, order: OrderRow, world: World, cash: World['cash']): Partial<Facts> {
  const shard = world.market?.trading.market.shard ?? 0;
  switch (fact) {
    case 'market':
      if (!world.market) throw new Error('an accepted order has a market');
      return { market: { ...world.market.trading, own: world.own } };
    case 'orderBook':
      if (!world.reading) throw new Error('an open market has a book');
      return { orderBook: world.reading.book };
    case 'room':
      return { room: decideRoomFor(order, world) };
    case 'priceClaim': {
      const { side, tradeAction } = asTradeOrder(order);
      const priced = { side, tradeAction, limitPriceMicros: order.limitPriceMicros ?? 0n };
      return { priceClaim: crosses(priced, world.own) ? 'crosses' : 'claimed' };
    }
    case 'shardCash': {
      const needMicros = order.quoteLimitUsdcMicros ?? 0n;
      return { shardCash: cash ? shardCashOf(cash, { shard, needMicros }) : 'enough' };
    }
    default:
      throw new Error(`placing asks for ${fact}`);
  }
}

/** An order that has to wait gets its room in the end: nobody else asks for any. */
function decideRoomFor(order: OrderRow, { room }: World): Facts['room'] {
  if (!room) return 'reserved';
  const { id, tradeAction, quoteLimitUsdcMicros, contractMicros, createdAt, expiresAt } = order;
  const usdcMicros = (tradeAction === 'buy' ? quoteLimitUsdcMicros : contractMicros) ?? 0n;
  const waitsUntil = new Date((expiresAt?.getTime() ?? 0) - 93_000);
  const candidate = { id, tradeAction: tradeAction ?? 'buy', usdcMicros, createdAt, waitsUntil };
  const candidates = [...room.waiting, candidate];
  const decision = decideRoom({ ...room, candidates, now: NOW }).get(id);
  return decision === 'wait' ? 'reserved' : decision;
}

type Sent = { contractMicros: bigint; limitPriceMicros: bigint };

/** What the order has filled on arrival is recorded as its later fills are. */
function rest(order: OrderRow, listed: ExchangeFill[], sent: Sent): Ending {
  const filled = listed.reduce((sum, fill) => sum + fill.contractMicros, 0n);
  const restingContractMicros = sent.contractMicros - filled;
  if (filled === 0n) {
    const nothing = { filledContractMicros: 0n, quoteUsdcMicros: 0n, feeUsdcMicros: 0n };
    return { filled: nothing, restingContractMicros };
  }
  const state = restingContractMicros > 0n ? 'resting' : 'done';
  const facts = given({
    context: {
      events: event('requested'),
      attempt: attempt(state, { filledContractMicros: restingContractMicros > 0n ? null : filled }),
    },
    restingOrder: atExchange(filled),
    restFills: { stored: [], listed },
  });
  const recorded = decideRest(order, facts, NOW);
  if (recorded.kind !== 'transition' || !recorded.set) throw new Error('its fills are recorded');
  return { filled: recorded.set, restingContractMicros };
}

/** The best offers up to the limit, one after the other. */
function match(order: OrderRow, { market, reading }: World, sent: Sent): ExchangeFill[] {
  if (!market || !reading) return [];
  const { fee } = market.trading;
  const isBuy = order.tradeAction === 'buy';
  const { yesBids, noBids } = reading.book;
  const own = order.side === 'yes' ? yesBids : noBids;
  const other = order.side === 'yes' ? noBids : yesBids;
  const offers = isBuy
    ? other.map((bid) => ({ ...bid, priceMicros: 1_000_000n - bid.priceMicros }))
    : own;
  let left = sent.contractMicros;
  return offers.flatMap(({ priceMicros, contractMicros: there }, index) => {
    const isTaken = isBuy
      ? priceMicros <= sent.limitPriceMicros
      : priceMicros >= sent.limitPriceMicros;
    const contractMicros = isTaken ? minMicros(left, there) : 0n;
    if (contractMicros === 0n) return [];
    left -= contractMicros;
    const feeMicros =
      takerFeeMicros(fee, isBuy ? 'buy' : 'sell', contractMicros, priceMicros) ?? 0n;
    const ids = { fillId: `${index}`, exchangeOrderId: 'exchange-1', at: NOW };
    return [{ ...ids, contractMicros, priceMicros, feeMicros }];
  });
}

/** The exchange refuses what its shard cannot pay before it matches anything. */
function respond(
  order: OrderRow,
  { market }: World,
  cash: World['cash'],
  sent: Sent,
  fills: readonly ExchangeFill[],
): PlaceOrderOutcome {
  const shard = market?.trading.market.shard;
  const own = cash?.balances.find((one) => one.shard === shard)?.balanceMicros;
  const needed = (sent.contractMicros * sent.limitPriceMicros + 999_999n) / 1_000_000n;
  if (order.tradeAction === 'buy' && own !== undefined && own < needed) {
    return { kind: 'our_fault', code: 'insufficient_balance', detail: '' };
  }
  const filledContractMicros = fills.reduce((sum, fill) => sum + fill.contractMicros, 0n);
  if (order.timeInForce === 'FOK' && filledContractMicros < sent.contractMicros) {
    return { kind: 'no_fill', reason: 'not_filled_whole', code: 'killed' };
  }
  if (order.isPostOnly && filledContractMicros > 0n) {
    return { kind: 'no_fill', reason: 'post_only_would_cross', code: 'crossed' };
  }
  return { kind: 'done', exchangeOrderId: 'exchange-1', filledContractMicros };
}

function endOf(decision: Decision): Ending | undefined {
  if (decision.kind !== 'transition' || !decision.set) return undefined;
  const { endingReason, filledContractMicros } = decision.set;
  if (endingReason) return { reason: endingReason };
  return filledContractMicros ? { filled: decision.set } : undefined;
}

/** Redeems tokens of a settled market once its payout is final. */
export function redeem(order: OrderRow, world: World): Ending {
  const { contractMicros: heldMicros } = afterEarlierOrders(world);
  const { payoutYesMicros = 0n } = world.market ?? {};
  const settlement = { state: 'final', payoutYesMicros } as Settlement;
  const begun = decideRedeem({ ...order, stage: 'redeem' }, given({ settlement, heldMicros }), NOW);
  if (begun.kind !== 'transition') throw new Error('the redemption knows what it needs');
  if (begun.set?.terminationReason) return { reason: begun.set.terminationReason };
  const operations = operation('redeem', 'succeeded', { transactionHash: '0x7' });
  const redemptions = {
    done: [{ transactionHash: '0x7' } as Redemption],
    credited: [],
    isOrderedByOwner: false,
  };
  const facts = given({ context: { operations }, settlement, redemptions });
  const done = decideRedeem({ ...order, stage: 'redeem' }, facts, NOW);
  if (done.kind !== 'transition' || !done.set) throw new Error('the redemption is paid');
  return { filled: done.set };
}
