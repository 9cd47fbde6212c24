import type { ActivityItem } from '#lib/api/schemas/activity.ts';
import type { OrderEvent, OrderRecord } from '#lib/api/schemas/order.ts';
import type { PortfolioEntry } from '#lib/api/schemas/portfolio.ts';
import { formatMicros } from '#lib/money.ts';
import { positionView } from '#lib/portfolio/positionView.ts';
import type { Database } from '../../platform/database/client.ts';
import type { AccountDeps } from '../accounts/accounts.ts';
import { listActivity } from '../activity/listActivity.ts';
import {
  type ExportedOrder,
  type ExportFilter,
  exportOrders,
} from '../orders/read/exportOrders.ts';
import { getPortfolio, type PortfolioDeps } from '../portfolio/portfolio.ts';
import { type Column, type CsvValue, csvLines } from './csv.ts';

function limitOf({ action }: OrderRecord): CsvValue {
  if (action.orderType === 'Withdraw') return null;
  return action.order.maxQuoteQuantityIn ?? action.order.minQuoteQuantityOut ?? null;
}

function quantityOf({ action }: OrderRecord): CsvValue {
  return action.orderType === 'Withdraw' ? action.withdrawal.amount : action.order.baseQuantity;
}

const identity: Column<ExportedOrder>[] = [
  { name: 'id', value: ({ record }) => record.id },
  { name: 'clientId', value: ({ record }) => record.clientId },
];

const trade: Column<ExportedOrder>[] = [
  { name: 'direction', value: ({ direction }) => direction },
  { name: 'market', value: ({ ticker }) => ticker },
  { name: 'side', value: ({ side }) => side },
  { name: 'quantity', value: ({ record }) => quantityOf(record) },
  { name: 'limitUsdc', value: ({ record }) => limitOf(record) },
  { name: 'filledQuantity', value: ({ record }) => record.filledBaseQuantity },
  { name: 'amountUsdc', value: ({ record }) => record.quoteAmount },
  { name: 'feeUsdc', value: ({ record }) => record.feeQuoteAmount },
];

const ORDER_COLUMNS: Column<ExportedOrder>[] = [
  { name: 'createdAt', value: ({ record }) => record.createdAt },
  ...identity,
  { name: 'source', value: ({ record }) => record.source },
  { name: 'status', value: ({ record }) => record.status },
  { name: 'terminationReason', value: ({ record }) => record.terminationReason },
  ...trade,
  { name: 'returnedUsdc', value: ({ record }) => record.returnedQuoteAmount },
  { name: 'returnedQuantity', value: ({ record }) => record.returnedBaseQuantity },
  { name: 'account', value: ({ record }) => record.accountAddress },
  { name: 'receiver', value: ({ record }) => record.receiverAddress },
  { name: 'transactionHash', value: ({ record }) => record.transactionHash },
  { name: 'filledAt', value: ({ record }) => record.txnFilledAt },
  { name: 'updatedAt', value: ({ record }) => record.updatedAt },
  { name: 'limitPriceUsdc', value: ({ record }) => record.limitPrice },
  { name: 'timeInForce', value: ({ record }) => record.timeInForce },
  { name: 'remainingQuantity', value: ({ record }) => record.remainingBaseQuantity },
  { name: 'averagePriceUsdc', value: ({ record }) => record.averagePrice },
  { name: 'deliveredQuantity', value: ({ record }) => record.deliveredBaseQuantity },
  { name: 'deliveredUsdc', value: ({ record }) => record.deliveredQuoteAmount },
  { name: 'endReason', value: ({ record }) => record.endReason },
  { name: 'triggerPriceUsdc', value: ({ record }) => record.trigger?.price ?? null },
  { name: 'triggerDirection', value: ({ record }) => record.trigger?.direction ?? null },
  { name: 'triggerSource', value: ({ record }) => record.trigger?.source ?? null },
  { name: 'triggeredAt', value: ({ record }) => record.trigger?.triggeredAt ?? null },
];

type Step = ExportedOrder & { event: OrderEvent };

const ACTIVITY_COLUMNS: Column<Step>[] = [
  { name: 'at', value: ({ event }) => event.at },
  { name: 'event', value: ({ event }) => event.type },
  { name: 'detail', value: ({ event }) => event.detail ?? null },
  ...identity,
  ...trade,
  { name: 'account', value: ({ record }) => record.accountAddress },
  { name: 'transactionHash', value: ({ event }) => event.transactionHash ?? null },
  { name: 'partQuantity', value: ({ event }) => event.baseQuantity ?? null },
  { name: 'partUsdc', value: ({ event }) => event.quoteAmount ?? null },
  { name: 'partFeeUsdc', value: ({ event }) => event.feeQuoteAmount ?? null },
];

const PORTFOLIO_COLUMNS: Column<PortfolioEntry>[] = [
  { name: 'market', value: ({ venueMarket }) => venueMarket.marketId },
  { name: 'title', value: ({ venueMarket }) => venueMarket.name },
  { name: 'subtitle', value: ({ venueMarket }) => venueMarket.subtitle },
  { name: 'side', value: ({ venueMarket }) => venueMarket.side },
  { name: 'status', value: ({ venueMarket }) => venueMarket.status },
  { name: 'quantity', value: ({ portfolioItem }) => portfolioItem.amount },
  { name: 'averageCostUsdc', value: ({ portfolioItem }) => portfolioItem.averageFillCost },
  { name: 'bidUsdc', value: ({ venueMarket }) => venueMarket.bidPriceDollars },
  { name: 'askUsdc', value: ({ venueMarket }) => venueMarket.askPriceDollars },
  { name: 'lastUsdc', value: ({ venueMarket }) => venueMarket.marketPriceDollars },
  { name: 'payoutUsdc', value: ({ venueMarket }) => venueMarket.payoutDollars },
  { name: 'valueUsdc', value: valueUsdc },
  { name: 'unrealizedUsdc', value: ({ portfolioItem }) => portfolioItem.unrealizedPnL },
  { name: 'realizedUsdc', value: ({ portfolioItem }) => portfolioItem.realizedPnL },
  { name: 'holder', value: ({ portfolioItem }) => portfolioItem.address },
  { name: 'chainId', value: ({ portfolioItem }) => portfolioItem.chainId },
  { name: 'contract', value: ({ portfolioItem }) => portfolioItem.contractAddress },
  { name: 'tokenId', value: ({ portfolioItem }) => portfolioItem.tokenId },
  { name: 'readAt', value: ({ portfolioItem }) => portfolioItem.updatedAt },
];

/** As the portfolio page shows it; a position without a price has no value, not zero. */
function valueUsdc(entry: PortfolioEntry): string | null {
  const { isUnpriced, valueMicros } = positionView(entry);
  return isUnpriced ? null : formatMicros(valueMicros);
}

/** Orders and withdrawals, oldest first. */
export function exportOrdersCsv(deps: { database: Database }, filter: ExportFilter) {
  return csvLines(ORDER_COLUMNS, exportOrders(deps, { ...filter, withEvents: false }));
}

/** Every event of every order, oldest order first; then the merges, which no order has. */
export function exportActivityCsv(deps: AccountDeps, filter: ExportFilter) {
  return csvLines(ACTIVITY_COLUMNS.map(ofEither), stepsAndMerges(deps, filter));
}

async function* stepsAndMerges(
  deps: AccountDeps,
  filter: ExportFilter,
): AsyncGenerator<(Step | ActivityItem)[], void, void> {
  for await (const page of exportOrders(deps, { ...filter, withEvents: true })) {
    yield page.flatMap((order) => order.events.map((event) => ({ ...order, event })));
  }
  const { viewer, from, to } = filter;
  const address = filter.userAddress ?? viewer.owner;
  let cursor = address === undefined ? '' : undefined;
  while (address !== undefined && cursor !== '') {
    const asked = { address, type: 'merge' as const, from, to, limit: MOST_ITEMS, cursor };
    const page = await listActivity(deps, { viewer, ...asked });
    yield page.items;
    cursor = page.cursor;
  }
}

const MOST_ITEMS = 500;

/** What a merge has in the columns of an order's steps. */
const MERGE_VALUES: Record<string, (merge: ActivityItem) => CsvValue> = {
  at: ({ at }) => at,
  event: () => 'merged',
  id: ({ id }) => id,
  market: ({ marketId }) => marketId,
  filledQuantity: ({ contracts }) => contracts,
  amountUsdc: ({ usdc }) => usdc,
  transactionHash: ({ transactionHash }) => transactionHash,
};

function ofEither({ name, value }: Column<Step>): Column<Step | ActivityItem> {
  return {
    name,
    value: (row) => ('event' in row ? value(row) : (MERGE_VALUES[name]?.(row) ?? null)),
  };
}

/**
 * The current holdings of an address. @throws {ServiceError} unsupported_chain, chain_unavailable
 */
export function exportPortfolioCsv(
  deps: PortfolioDeps,
  input: { address: string; chainId: number },
) {
  async function* held(): AsyncGenerator<PortfolioEntry[], void, void> {
    yield await getPortfolio(deps, input);
  }
  return csvLines(PORTFOLIO_COLUMNS, held());
}
