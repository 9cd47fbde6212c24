import type { Address } from 'viem';
import type { AccountSnapshot } from '#server/chain/accountSnapshot.ts';
import type { VaultRoom } from '#server/chain/vaultRoom.ts';
import type { RecordedGrant } from '#server/domain/accounts/grants.ts';
import type { TradingMarket } from '#server/domain/markets/quotes/tradingMarket.ts';
import type { AttemptLookup } from '#server/domain/orders/lifecycle/lookUpAttempt.ts';
import type {
  ExchangeAttempt,
  OrderContext,
  VaultEvent,
} from '#server/domain/orders/lifecycle/orderContext.ts';
import type { RoomDecision } from '#server/domain/orders/lifecycle/room/decideRoom.ts';
import type { NewAttempt } from '#server/domain/orders/lifecycle/transition.ts';
import type { UnwindRecord } from '#server/domain/orders/lifecycle/unwinding.ts';
import type { Redemption } from '#server/domain/settlement/redemptionStore.ts';
import type { Settlement } from '#server/domain/settlement/settlementStore.ts';
import type {
  ExchangeFill,
  ExchangeMarket,
  OrderBook,
  PlaceOrderOutcome,
  TradeAction,
} from '#server/exchange/port.ts';

/** What of the configuration steps decide by. */
export type StepSettings = {
  /** How long after an attempt was stored the exchange can still take it. */
  absenceMs: number;
  /** Per contract, what trading back may lose at most. */
  maxUnwindLossMicros: bigint;
  /** Blocks after which a fact of the chain counts. */
  confirmations: bigint;
  vault: Address;
};

/** An attempt that this run has stored and that it alone may send without looking it up first. */
export type UnsentAttempt = NewAttempt & {
  storedAt: Date;
  /** Nothing has woken the order since: the context it was stored by is still the newest. */
  isCurrent: boolean;
};

/** What is sent of an attempt, how it was, and the time it was stored at and is signed with. */
export type StoredAttempt = Pick<
  NewAttempt,
  'clientOrderId' | 'contractMicros' | 'limitPriceMicros' | 'state'
> & { storedAt: Date };

/** An attempt that the exchange has filled, in whole or in part. */
export type FilledAttempt = Pick<
  ExchangeAttempt,
  'clientOrderId' | 'exchangeOrderId' | 'filledContractMicros'
>;

/** What every step knows from the beginning. */
export type KnownFacts = {
  settings: StepSettings;
  /** What is stored about the order beyond its row. */
  context: OrderContext;
  /** When the context was read. */
  readAt: Date;
  unsent?: UnsentAttempt;
  /** What would end the order has been read a second time. */
  isConfirmed: boolean;
  /** Something that a step needed soon did not come in time. */
  isLate?: true;
};

/** What the chain says of the transaction by which a user had locked the input. */
export type UserTransaction = { hasFailed: boolean; confirmations: bigint };

/** What a step learns only when it needs it. `null`: there is none. */
export type NeededFacts = {
  /** Whether the vault has had the order, read from the vault itself and not from its logs. */
  isKnownToVault: boolean;
  userTransaction: UserTransaction | null;
  account: AccountSnapshot;
  recordedGrant: RecordedGrant | null;
  /** Whether a grant of the account is on its way to the chain for any of its orders. */
  isGrantUnderWay: boolean;
  /** A recorded grant that the chain has taken is marked so. */
  isGrantMarked: true;
  halt: 'market_suspended' | 'trading_paused' | null;
  isBeyondLimits: boolean;
  market: TradingMarket | { problem: 'market_not_found' | 'fee_unknown' };
  /** Reserved at the vault by being asked for. */
  room: RoomDecision;
  /** What the exchange answered to an attempt that was sent just now. */
  sent: { attempt: StoredAttempt; outcome: PlaceOrderOutcome };
  lookedUp: AttemptLookup;
  /** All fills of an attempt; null until the exchange shows every one that it reported. */
  fills: ExchangeFill[] | null;
  /** The same of an attempt that was sent just now, from the exchange's feed where it has them. */
  newFills: ExchangeFill[] | null;
  /** To whom the vault delivered; null where that cannot be read (any more). */
  deliveredTo: string | null;
  vaultRoom: VaultRoom;
  /** What the account holds of what the order takes from it. */
  heldMicros: bigint;
  /** The transaction by which the account paid a withdrawal, as the chain's logs have it. */
  withdrawnIn: string | null;
  settlement: Settlement | null;
  redemptions: {
    /** What the account has redeemed of the outcome, oldest first. */
    done: Redemption[];
    /** Transactions that other orders were credited with. */
    credited: string[];
    /** The account has ordered a redemption of the outcome itself, and that is not over. */
    isOrderedByOwner: boolean;
  };
  unwinding: UnwindRecord;
  listedMarket: ExchangeMarket | null;
  orderBook: OrderBook;
};

export type FactName = keyof NeededFacts;

/** The facts that a step works with: those it knows, and those it may ask for. */
export type FactsOf<Name extends FactName> = KnownFacts & Partial<Pick<NeededFacts, Name>>;

export type Facts = FactsOf<FactName>;

/** What must be named to learn some of them. */
type NeedArguments = {
  deliveredTo: { filled: VaultEvent };
  room: { placingMs: number };
  isGrantMarked: { nonce: bigint };
  sent: { attempt: StoredAttempt; tradeAction: TradeAction };
  lookedUp: { attempt: Pick<ExchangeAttempt, 'clientOrderId' | 'storedAt' | 'code'> };
  fills: { attempt: FilledAttempt };
  newFills: { attempt: FilledAttempt };
};

/** Something that a step has to know before it can decide. */
export type Need<Name extends FactName = FactName> = {
  [Fact in Name]: {
    fact: Fact;
    /** Longer than this, or after a failure, the step decides without it. */
    timeoutMs?: number;
  } & (Fact extends keyof NeedArguments ? NeedArguments[Fact] : unknown);
}[Name];
