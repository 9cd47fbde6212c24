import type { ActivityItem } from '../api/schemas/activity.ts';
import type { Market } from '../api/schemas/market.ts';
import type { OrderRecord } from '../api/schemas/order.ts';
import type { PortfolioEntry } from '../api/schemas/portfolio.ts';
import type { PriceAlert } from '../api/schemas/priceAlert.ts';
import { contractsOf, pairsOfBoth } from '../format/contractsOf.ts';
import { contractsRounded, dollars, dollarsDown } from '../format/money.ts';
import { isCancelledByOwner } from '../isCancelledByOwner.ts';
import { alertWords } from '../market/alertTerms.ts';
import { outcomeOf, sideWord } from '../market/outcomeName.ts';
import { parseMicros } from '../money.ts';
import { signedMicros } from '../portfolio/positionView.ts';

export type NotificationKind =
  | 'filled'
  | 'failed'
  | 'returned'
  | 'won'
  | 'lost'
  | 'redeemed'
  | 'arrived'
  | 'left'
  | 'closing'
  | 'alert';

/** A notification for an owner, with a link to the details. */
export type NotificationItem = {
  /** Equal for the same fact, whenever and wherever it is derived. */
  id: string;
  kind: NotificationKind;
  at: string;
  title: string;
  detail: string;
  href: string;
  /** For a market that closes soon: its close time. */
  closesAt?: string;
  /** The market it is about: by its outcome and question if known, else by ticker. */
  market:
    | { ticker: string; name: { outcome: string | undefined; question: string } | undefined }
    | undefined;
};

/** The inputs of notifications; the page already loads all of them for other reasons. */
export type NotificationSources = {
  activity: readonly ActivityItem[];
  orders: readonly OrderRecord[];
  portfolio: readonly PortfolioEntry[];
  /** Open markets of events on the watchlist. */
  watched: readonly Market[];
  alerts: readonly PriceAlert[];
  nowMs: number;
};

/** A watched market closes soon from this time on. */
const UPCOMING_MS = 24 * 3_600_000;
const MOST = 30;

/** Notifications about an account and its watchlist, newest first. */
export function accountNotifications(sources: NotificationSources): NotificationItem[] {
  const orders = new Map(sources.orders.map((order) => [order.id, order]));
  return [
    ...sources.activity.flatMap((item) =>
      activityNotification(item, orders.get(item.orderId ?? '')),
    ),
    ...sources.portfolio.flatMap(settlementNotifications),
    ...closingNews(sources.watched, sources.nowMs),
    ...sources.alerts.flatMap(alertNews),
  ]
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .slice(0, MOST);
}

const sideOf = (side: 'yes' | 'no' | null) => (side === null ? ' contracts' : ` ${sideWord(side)}`);

/** The notification of an ended activity entry; undefined before the end. */
export function activityNotification(
  item: ActivityItem,
  order: OrderRecord | undefined,
): NotificationItem[] {
  const base = {
    id: `${item.orderId ?? item.id}:${item.status}`,
    at: item.at,
    href: hrefOf(item),
    market: item.marketId === null ? undefined : { ticker: item.marketId, name: undefined },
  };
  if (item.status === 'failed') {
    // The owner changed its terms; the order in its place has notifications of its own.
    if (item.replacedBy !== null) return [];
    const words = failedWords(item, order);
    return words.kind === 'failed' && isCancelledByOwner(item) ? [] : [{ ...base, ...words }];
  }
  return item.status === 'completed' ? [{ ...base, ...doneWords(item, order) }] : [];
}

function hrefOf({ orderId, kind }: ActivityItem): string {
  if (orderId !== null) return `/orders/${orderId}`;
  return kind === 'transfer_in' ? '/portfolio' : '/activity';
}

type Words = Pick<NotificationItem, 'kind' | 'title' | 'detail'>;

const VERBS: Record<ActivityItem['kind'], string> = {
  buy: 'Buy',
  sell: 'Sell',
  redeem: 'Redeem',
  merge: 'Merge',
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  transfer_in: 'Transfer',
  transfer_out: 'Transfer',
};

function failedWords(item: ActivityItem, order: OrderRecord | undefined): Words {
  const returned = order && returnedWords(order);
  const ending = item.terminationReason === 'cancelled' ? 'cancelled' : 'failed';
  const title = `${VERBS[item.kind]}${amountOf(item)} ${ending}`;
  if (returned === undefined) return { kind: 'failed', title, detail: '' };
  return { kind: 'returned', title, detail: `${returned} returned` };
}

/** " 3 Yes", " of $25.00", or nothing if unknown. */
function amountOf({ contracts: count, usdc, side }: ActivityItem): string {
  if (count !== null) return ` ${contractsRounded(parseMicros(count))}${sideOf(side)}`;
  return usdc === null ? '' : ` of ${sumOf(usdc)}`;
}

/** " 3 pairs". */
function pairsOf({ contracts: count }: ActivityItem): string {
  return count === null ? '' : ` ${pairsOfBoth(parseMicros(count))}`;
}

function returnedWords(order: OrderRecord): string | undefined {
  const usdcMicros = parseMicros(order.returnedQuoteAmount ?? '0');
  if (usdcMicros > 0n) return dollars(usdcMicros);
  const contractMicros = parseMicros(order.returnedBaseQuantity ?? '0');
  return contractMicros > 0n ? contractsOf(contractMicros) : undefined;
}

function doneWords(item: ActivityItem, order: OrderRecord | undefined): Words {
  const amount = amountOf(item);
  const sum = item.usdc === null ? '' : sumOf(item.usdc);
  switch (item.kind) {
    case 'buy':
    case 'sell':
      return filledWords(item, order, sum);
    case 'redeem':
      return { kind: 'redeemed', title: `Redeemed${amount}`, detail: `for ${sum}` };
    case 'merge':
      return { kind: 'redeemed', title: `Merged${pairsOf(item)}`, detail: `into ${sum}` };
    case 'deposit':
      return { kind: 'arrived', title: `${sum} received`, detail: 'in your account' };
    case 'withdrawal':
      return { kind: 'left', title: `Withdrawal${amount}`, detail: 'sent' };
    case 'transfer_in':
      return { kind: 'arrived', title: `Received${amount}`, detail: 'from another address' };
    case 'transfer_out':
      return { kind: 'left', title: `Sent${amount}`, detail: 'to another address' };
  }
}

function filledWords(item: ActivityItem, order: OrderRecord | undefined, sum: string): Words {
  const done = parseMicros(item.contracts ?? '0');
  const verb = item.kind === 'buy' ? 'Bought' : 'Sold';
  const asked = askedMicros(order);
  const isPartly = asked !== undefined && done < asked;
  const count = isPartly
    ? `${contractsRounded(done)} of ${contractsRounded(asked)}`
    : contractsRounded(done);
  const title = `${verb} ${count}${sideOf(item.side)}`;
  if (!isPartly) return { kind: 'filled', title, detail: `for ${sum}` };
  return order?.replacedBy
    ? { kind: 'filled', title, detail: `for ${sum}; another order replaces the rest` }
    : { kind: 'returned', title, detail: `for ${sum}; the rest was returned` };
}

function askedMicros(order: OrderRecord | undefined): bigint | undefined {
  if (order === undefined || order.action.orderType === 'Withdraw') return undefined;
  return parseMicros(order.action.order.baseQuantity);
}

/** The amount without its sign. */
function sumOf(usdc: string): string {
  const micros = signedMicros(usdc);
  return dollars(micros < 0n ? -micros : micros);
}

/** A holding of a decided market: its payout once it can be redeemed, or its loss. */
export function settlementNotifications({
  portfolioItem,
  venueMarket,
  token,
}: PortfolioEntry): NotificationItem[] {
  const { settledAt, marketId, side, name, subtitle, payoutDollars } = venueMarket;
  const held = parseMicros(portfolioItem.amount);
  if (settledAt === null || payoutDollars === null || held === 0n) return [];
  const base = {
    at: settledAt,
    market: { ticker: marketId, name: { outcome: outcomeOf(name, subtitle), question: name } },
    title: `Your ${contractsRounded(held)}${sideOf(side)}`,
  };
  if (parseMicros(payoutDollars) === 0n) {
    const id = `lost:${token.tokenId}`;
    return [{ ...base, id, kind: 'lost', detail: 'did not win', href: `/markets/${marketId}` }];
  }
  const pays = parseMicros(portfolioItem.redeemableAmount ?? '0');
  if (pays === 0n) return [];
  const detail = `resolved; ${dollarsDown(pays)} to redeem`;
  return [{ ...base, id: `won:${token.tokenId}`, kind: 'won', detail, href: '/portfolio' }];
}

/** A price alert that has fired. */
function alertNews(alert: PriceAlert): NotificationItem[] {
  const { id, ticker, triggeredAt } = alert;
  if (triggeredAt === null) return [];
  return [
    {
      id: `alert:${id}`,
      kind: 'alert',
      at: triggeredAt,
      title: alertWords(alert),
      detail: '',
      href: `/markets/${ticker}`,
      market: { ticker, name: undefined },
    },
  ];
}

/** The next expected end of each watched event, from a day before on. */
function closingNews(watched: readonly Market[], nowMs: number): NotificationItem[] {
  const next = new Map<string, Market>();
  for (const market of watched) {
    const leftMs = Date.parse(market.expectedEndTime) - nowMs;
    if (market.status !== 'open' || leftMs <= 0 || leftMs > UPCOMING_MS) continue;
    const sooner = next.get(market.eventTicker);
    if (sooner && Date.parse(sooner.expectedEndTime) <= Date.parse(market.expectedEndTime))
      continue;
    next.set(market.eventTicker, market);
  }
  return [...next.values()].map((market) => ({
    id: `closing:${market.eventTicker}:${market.expectedEndTime}`,
    kind: 'closing',
    at: new Date(Date.parse(market.expectedEndTime) - UPCOMING_MS).toISOString(),
    title: 'Closing soon',
    detail: '',
    href: `/events/${market.eventTicker}`,
    closesAt: market.expectedEndTime,
    // The whole event closes, whichever outcome was found first.
    market: { ticker: market.ticker, name: { outcome: undefined, question: market.title } },
  }));
}
