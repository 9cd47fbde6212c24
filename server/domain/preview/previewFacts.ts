import type { Address } from 'viem';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { AccountSnapshot } from '#server/chain/accountSnapshot.ts';
import type { VaultRoom } from '#server/chain/vaultRoom.ts';
import type { TradeAction } from '#server/exchange/port.ts';
import type { ServiceError } from '#server/platform/errors.ts';
import type { AccountIdentity } from '../accounts/accounts.ts';
import type { RecordedGrant } from '../accounts/grants.ts';
import type { CashFacts } from '../collateral/shardCash.ts';
import type { BookReading } from '../markets/quotes/tradingMarket.ts';
import type { TradeFacts } from '../orders/create/resolveTrade.ts';
import type { ParsedTrade } from '../orders/create/validateTrade.ts';
import type { AwaitedInput } from '../orders/lifecycle/lockedInputs.ts';
import type { OwnLevels } from '../orders/lifecycle/ownLevels.ts';
import type { Candidate, Held } from '../orders/lifecycle/room/decideRoom.ts';

/** Who sends an order: the service, or the user's own wallet. */
export type OrderSource = 'api' | 'calldata';

export type Outcome = { ticker: string; side: OutcomeSide };

/** Everything that decides what happens to an order, read at about one moment. */
export type PreviewFacts = {
  now: Date;
  source: OrderSource;
  /** Problems of the caller, the parties and the client id, before the trade is looked at. */
  callerProblems: readonly ServiceError[];
  parsed: ParsedTrade;
  /** A purchase that spends an amount. */
  isForAmount: boolean;
  /** Undefined while the token is not known. */
  outcome: Outcome | undefined;
  /** The token or the market cannot be found, or not be traded. */
  marketProblems: readonly ServiceError[];
  market: TradeFacts | undefined;
  /** Undefined unless the market is open. */
  reading: BookReading | undefined;
  /** The best of our own resting orders there: orders of ours never trade with each other. */
  own: OwnLevels;
  /** Of a reduce-only order: what the payer holds of the side that it reduces. */
  reducibleContractMicros: bigint | undefined;
  suspensionProblems: readonly ServiceError[];
  limitProblems: readonly ServiceError[];
  identity: AccountIdentity;
  /** The account whose funds move, and the wallet that sends its own order. */
  payer: Address;
  sender: Address;
  /** Of the payer. */
  account: AccountSnapshot;
  recordedGrant: RecordedGrant | undefined;
  awaited: readonly AwaitedInput[];
  vault: Address;
  includesApproval: boolean;
  /** What the vault may take from the payer, where the order brings no approval of its own. */
  allowanceUsdcMicros: bigint | undefined;
  room: RoomReading | undefined;
  cash: CashFacts | undefined;
  /** The exchange accepts a message within this time after it was stored. */
  absenceMs: number;
};

/** The vault's room, and the orders that hold or await a part of it. */
export type RoomReading = {
  room: VaultRoom;
  held: Record<TradeAction, Held>;
  waiting: readonly Candidate[];
};
