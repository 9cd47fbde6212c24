import { type Address, isAddressEqual } from 'viem';
import type { AnyOrderRequest } from '#lib/api/schemas/order.ts';
import type { Chain } from '#server/chain/client.ts';
import type { Exchange } from '#server/exchange/port.ts';
import type { Config } from '#server/platform/config/config.ts';
import type { Database } from '#server/platform/database/client.ts';
import { isServiceError, ServiceError } from '#server/platform/errors.ts';
import { memoizeByObject } from '#server/platform/memoizeByObject.ts';
import { createTimedCache } from '#server/platform/timedCache.ts';
import { type AccountIdentity, resolveAccount } from '../accounts/accounts.ts';
import { getRecordedGrant } from '../accounts/grants.ts';
import { findServiceAddresses } from '../accounts/serviceAddresses.ts';
import { listHoldsOn, suspensionProblems } from '../admin/suspensions.ts';
import { readStoredCash } from '../collateral/shardCash.ts';
import { getRecentBook } from '../markets/quotes/tradingMarket.ts';
import { ownerProblems } from '../orders/create/createOrder.ts';
import {
  findOutcome,
  isRedemption,
  readTradeFacts,
  type TradeFacts,
} from '../orders/create/resolveTrade.ts';
import { findClientIdProblems, hashRequest } from '../orders/create/storeOrder.ts';
import { type ParsedTrade, parseTrade } from '../orders/create/validateTrade.ts';
import { getRecentOwnLevels } from '../orders/lifecycle/ownLevels.ts';
import { placingBudgetMs, ROOM_WAIT_MS } from '../orders/lifecycle/placingTime.ts';
import { findRecentRoom } from '../orders/lifecycle/room/largestOrder.ts';
import { listWaiting, readHeldRoom } from '../orders/lifecycle/room/reserveRoom.ts';
import { readOnMarket } from './findBlockers.ts';
import type { OrderSource, Outcome, PreviewFacts, RoomReading } from './previewFacts.ts';
import { readPayerFacts } from './readPayerFacts.ts';

export type PreviewDeps = {
  database: Database;
  chain: Chain;
  exchange: Exchange;
  config: Pick<Config, 'shardTargets'>;
};

export type PreviewCaller = {
  apiKeyId: string;
  /** Every visitor of our pages has this key, so it does not identify the caller. */
  isSharedKey: boolean;
  /** The wallet that the request's token authenticates. */
  signedIn: Address | undefined;
};

export type Previewed = {
  source: OrderSource;
  body: AnyOrderRequest;
  /** What compliance refuses the order for. */
  guardProblems: () => Promise<ServiceError[]>;
};

/**
 * Reads everything that decides what happens to an order, as much as possible at once.
 * @throws {ServiceError} chain_unavailable
 */
export async function readPreviewFacts(
  deps: PreviewDeps,
  caller: PreviewCaller,
  previewed: Previewed,
): Promise<PreviewFacts> {
  const { body, source } = previewed;
  const parsed = parseTrade(deps.chain, body);
  const [callerProblems, identity, found] = await Promise.all([
    readPartyProblems(deps, previewed),
    resolveAccount(deps, body.userAddress),
    collected(parsed.parts.base && findOutcome(deps, parsed.parts.base)),
  ]);
  const outcome = found.value;
  const market = readMarketFacts(deps, parsed, outcome);
  const sized = parsed.parts.limitOrder
    ? market.then((facts) => readOnMarket({ parsed, outcome, now: new Date(), ...facts }).trade)
    : parsed.parts;
  const [own, ofMarket, ofPayer, recordedGrant, ofService] = await Promise.all([
    readOwnProblems(deps, caller, previewed, identity),
    market,
    readPayerFacts(deps, { caller, previewed, parsed, sized, identity, outcome }),
    getRecordedGrant(deps, identity.account),
    readServiceFacts(deps),
  ]);
  return {
    now: new Date(),
    source,
    callerProblems: [...own.signedOut, ...callerProblems, ...own.owner, ...own.clientId],
    parsed,
    isForAmount: body.orderType === 'MarketOrder' && body.order.sizedBy === 'maxQuoteQuantityIn',
    outcome,
    identity,
    recordedGrant,
    vault: deps.chain.contracts.swapVault,
    includesApproval: body.includeTokenTransfer,
    absenceMs: deps.exchange.timing.absenceMs,
    ...ofService,
    ...ofPayer,
    ...ofMarket,
    marketProblems: [...found.problems, ...ofMarket.marketProblems],
  };
}

/** A read that a caller may be refused for. */
async function collected<Value>(
  reading: Promise<Value> | undefined,
): Promise<{ value: Value | undefined; problems: ServiceError[] }> {
  try {
    return { value: await reading, problems: [] };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    return { value: undefined, problems: [error] };
  }
}

async function readPartyProblems(
  deps: PreviewDeps,
  { source, body, guardProblems }: Previewed,
): Promise<ServiceError[]> {
  const parties = {
    '/userAddress': body.userAddress,
    ...(source === 'calldata' && { '/receiverAddress': body.receiverAddress }),
  };
  const both = await Promise.all([guardProblems(), findServiceAddresses(deps, parties)]);
  return both.flat();
}

async function readOwnProblems(
  { database }: PreviewDeps,
  { apiKeyId, isSharedKey, signedIn }: PreviewCaller,
  { source, body }: Previewed,
  identity: AccountIdentity,
) {
  const { clientId, userAddress } = body;
  const isOwner = signedIn !== undefined && isAddressEqual(signedIn, identity.owner);
  const anonymous = source === 'calldata' && !isOwner && isSharedKey;
  const needsToken = source === 'api' && signedIn === undefined;
  const own = { apiKeyId, owner: identity.owner, anonymous };
  const hash = hashRequest({ kind: source, ...body, clientId: undefined });
  return {
    signedOut: needsToken ? [new ServiceError('token_missing', TOKEN_MISSING)] : [],
    owner:
      source === 'api' && signedIn ? ownerProblems(identity, { owner: signedIn, userAddress }) : [],
    clientId: clientId ? await findClientIdProblems(database, { ...own, clientId }, hash) : [],
  };
}

const TOKEN_MISSING =
  'The service places orders of signed-in wallets only. Sign in (GET /v1/auth/message, ' +
  'POST /v1/auth/token) and send Authorization: Bearer.';

async function readMarketFacts(
  deps: PreviewDeps,
  { parts }: ParsedTrade,
  outcome: Outcome | undefined,
) {
  if (!outcome) {
    const none = { market: undefined, reading: undefined, own: {} };
    return { ...none, marketProblems: [], suspensionProblems: [] };
  }
  const { ticker } = outcome;
  const [{ value: market, problems }, reading, own, holds] = await Promise.all([
    collected<TradeFacts>(readTradeFacts(deps, ticker)),
    // Without a book there is no estimate; whether the exchange responds is the market's problem.
    getRecentBook(deps, ticker).catch(() => undefined),
    getRecentOwnLevels(deps.database, ticker),
    listHoldsOn(deps, ticker),
  ]);
  const redeems = market !== undefined && isRedemption(parts, market);
  return {
    market,
    own,
    marketProblems: problems,
    reading: market?.trading.market.status === 'open' ? reading : undefined,
    suspensionProblems: redeems ? [] : suspensionProblems(ticker, holds),
  };
}

/** Previews share a reading of what concerns every order. */
const SHARED_MS = 500;
const RENEW_AFTER_MS = 350;

const sharedOf = memoizeByObject((database: Database) =>
  memoizeByObject((chain: Chain) =>
    memoizeByObject((exchange: Exchange) =>
      createTimedCache(SHARED_MS, () => readRoom(database, chain, exchange), {
        renewAfterMs: RENEW_AFTER_MS,
      }),
    ),
  ),
);

const cashOf = memoizeByObject((database: Database) =>
  memoizeByObject((config: Pick<Config, 'shardTargets'>) =>
    createTimedCache(
      SHARED_MS,
      () => readStoredCash({ database, shardTargets: config.shardTargets }),
      { renewAfterMs: RENEW_AFTER_MS },
    ),
  ),
);

async function readServiceFacts({ database, chain, exchange, config }: PreviewDeps) {
  const [room, cash] = await Promise.all([
    sharedOf(database)(chain)(exchange)('all'),
    cashOf(database)(config)('all'),
  ]);
  return { room, cash };
}

async function readRoom(
  { orm }: Database,
  chain: Chain,
  { timing }: Exchange,
): Promise<RoomReading | undefined> {
  const room = await findRecentRoom(chain);
  if (!room) return undefined;
  const [held, waiting] = await Promise.all([
    readHeldRoom(orm, room.blockNumber),
    listWaiting(orm, placingBudgetMs(timing) + ROOM_WAIT_MS),
  ]);
  return { room, held, waiting };
}
