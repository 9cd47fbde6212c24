import type { Address } from 'viem';
import type { AccountSnapshot } from '#server/chain/accountSnapshot.ts';
import type { VaultRoom } from '#server/chain/vaultRoom.ts';
import type { RecordedGrant } from '#server/domain/accounts/grants.ts';
import type { ShardCash } from '#server/domain/collateral/shardCash.ts';
import type { TradingMarket } from '#server/domain/markets/quotes/tradingMarket.ts';
import type { AttemptLookup } from '#server/domain/orders/lifecycle/attempts.ts';
import type {
  ExchangeAttempt,
  OrderContext,
  VaultEvent,
} from '#server/domain/orders/lifecycle/orderContext.ts';
import type { OwnLevels, PriceClaim } from '#server/domain/orders/lifecycle/ownLevels.ts';
import type { RoomDecision } from '#server/domain/orders/lifecycle/room/decideRoom.ts';
import type { NewAttempt } from '#server/domain/orders/lifecycle/transition.ts';
import type { UnwindRecord } from '#server/domain/orders/lifecycle/unwinding.ts';
import type { Redemption, Settlement } from '#server/domain/settlement/settlementStore.ts';
import type {
  ExchangeFill,
  ExchangeMarket,
  OrderBook,
  PlaceOrderOutcome,
  TradeAction,
} from '#server/exchange/port.ts';
import type {
  AmendOrderOutcome,
  CancelOrderOutcome,
  RestingOrder,
} from '#server/exchange/restingOrders.ts';

/** The configuration that steps decide by. */
export type StepSettings = {
  /** How long after it was stored the exchange can still accept an attempt. */
  absenceMs: number;
  /** How long after it was stored a message may still be sent. */
  sendWithinMs: number;
  /** The maximum loss per contract when trading back. */
  maxUnwindLossMicros: bigint;
  /** Confirmations after which a fact of the chain counts. */
  confirmations: bigint;
  vault: Address;
};

/** An attempt that this run has stored and that it alone may send without a look-up. */
type UnsentAttempt = NewAttempt & {
  storedAt: Date;
  /** Nothing has woken the order since: the context of the decision is still the newest. */
  isCurrent: boolean;
};

/** The contents of an attempt, its state, and its storage time, which is its signing time. */
export type StoredAttempt = Pick<
  NewAttempt,
  'clientOrderId' | 'shard' | 'contractMicros' | 'limitPriceMicros' | 'state'
> & { storedAt: Date };

/** An attempt that the exchange has filled, in whole or in part. */
export type FilledAttempt = Pick<
  ExchangeAttempt,
  'clientOrderId' | 'exchangeOrderId' | 'filledContractMicros'
>;

export type KnownFacts = {
  settings: StepSettings;
  context: OrderContext;
  readAt: Date;
  unsent?: UnsentAttempt;
  /** The facts that would end the order have been read a second time. */
  isConfirmed: boolean;
  /** How long this visit has paused so far. */
  pausedMs: number;
  /** A fact did not arrive within its timeout. */
  isLate?: true;
};

/** A fill that is in the books. */
export type StoredFill = Pick<
  ExchangeFill,
  'fillId' | 'contractMicros' | 'priceMicros' | 'feeMicros'
>;

export type UserTransaction = { hasFailed: boolean; confirmations: bigint };

/** Facts that a step requests when it needs them. `null`: there is none. */
export type NeededFacts = {
  /** Whether the vault knows the order, read from the vault itself and not from its logs. */
  isKnownToVault: boolean;
  userTransaction: UserTransaction | null;
  account: AccountSnapshot;
  recordedGrant: RecordedGrant | null;
  isGrantUnderWay: boolean;
  /** A recorded grant that is on chain has been marked so. */
  isGrantMarked: true;
  halt: 'market_suspended' | 'trading_paused' | null;
  isBeyondLimits: boolean;
  /** With the best prices of our own resting orders, for an order that takes from the book. */
  market: (TradingMarket & { own?: OwnLevels }) | { problem: 'market_not_found' | 'fee_unknown' };
  /** The result of claiming a resting order's price; requesting it claims. */
  priceClaim: PriceClaim;
  /** The order as the exchange knows it; null when it shows it only later. */
  restingOrder: RestingOrder | null;
  /** All fills of a resting order, as stored and as the exchange lists them. */
  restFills: { stored: StoredFill[]; listed: ExchangeFill[] };
  /** The stored fills alone. */
  storedFills: StoredFill[];
  /** The exchange's response to a cancellation that was sent just now. */
  cancelSent: CancelOrderOutcome;
  /** The same of an amendment. */
  amendSent: AmendOrderOutcome;
  isVaultPaused: boolean;
  /** Contracts that the account holds of the side that a reduce-only purchase reduces. */
  reducibleMicros: bigint;
  /** The result of reserving room at the vault; requesting it reserves. */
  room: RoomDecision;
  /** Whether the shard of a refused attempt has the order's cash. */
  shardCash: ShardCash;
  /** The exchange's response to an attempt that was sent just now. */
  sent: { attempt: StoredAttempt; outcome: PlaceOrderOutcome };
  lookedUp: AttemptLookup;
  /** All fills of an attempt; null until the exchange lists all it reported. */
  fills: ExchangeFill[] | null;
  /** The same for an attempt that was sent just now, from the exchange's feed if available. */
  newFills: ExchangeFill[] | null;
  /** The vault's recipient; null when it cannot be read. */
  deliveredTo: string | null;
  vaultRoom: VaultRoom;
  /** The account's balance of what the order takes from it. */
  heldMicros: bigint;
  /** The transaction that paid a withdrawal, from the chain's logs. */
  withdrawnIn: string | null;
  settlement: Settlement | null;
  redemptions: {
    /** The account's redemptions of the outcome, oldest first. */
    done: Redemption[];
    /** Transactions that are credited to other orders. */
    credited: string[];
    /** The account's owner has an open redemption order for the outcome. */
    isOrderedByOwner: boolean;
  };
  unwinding: UnwindRecord;
  listedMarket: ExchangeMarket | null;
  orderBook: OrderBook;
};

export type Amendment = { limitPriceMicros: bigint; contractMicros: bigint; storedAt: Date };

export type FactName = keyof NeededFacts;

/** The facts of a step: the known ones, and those it may request. */
export type FactsOf<Name extends FactName> = KnownFacts & Partial<Pick<NeededFacts, Name>>;

export type Facts = FactsOf<FactName>;

/** The order at the exchange that a resting order stands for. */
export type RestingAttempt = Pick<
  ExchangeAttempt,
  'clientOrderId' | 'exchangeOrderId' | 'shard' | 'storedAt'
>;

type NeedArguments = {
  priceClaim: { priceMicros: bigint };
  restingOrder: { attempt: RestingAttempt };
  restFills: { attempt: RestingAttempt };
  cancelSent: { attempt: RestingAttempt };
  amendSent: { attempt: RestingAttempt; amendment: Amendment };
  deliveredTo: { filled: VaultEvent };
  room: { placingMs: number };
  shardCash: { shard: number };
  isGrantMarked: { nonce: bigint };
  sent: { attempt: StoredAttempt; tradeAction: TradeAction };
  lookedUp: { attempt: Pick<ExchangeAttempt, 'clientOrderId' | 'storedAt' | 'code'> };
  fills: { attempt: FilledAttempt };
  newFills: { attempt: FilledAttempt };
};

export type Need<Name extends FactName = FactName> = {
  [Fact in Name]: {
    fact: Fact;
    /** After this timeout, or after a failure, the step decides without it. */
    timeoutMs?: number;
  } & (Fact extends keyof NeedArguments ? NeedArguments[Fact] : unknown);
}[Name];
