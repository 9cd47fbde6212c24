import type { ActivityItem } from '#lib/api/schemas/activity.ts';
import type { PortfolioEntry } from '#lib/api/schemas/portfolio.ts';
import { contractsRounded, dollars } from '#lib/format/money.ts';
import { outcomeOf, sideWord } from '#lib/market/outcomeName.ts';
import { type TriggerTerms, triggeredWords } from '#lib/market/triggerWords.ts';
import { parseMicros } from '#lib/money.ts';
import {
  activityNotification,
  type NotificationItem,
  settlementNotifications,
} from '#lib/notifications/accountNotifications.ts';
import { redemptionUsdcMicros } from '../../orders/create/redemption.ts';
import type { FeedItem } from '../../orders/read/eventFeed.ts';

/** A notification in a browser, in the words of the notification list on our pages. */
export type PushNotification = {
  title: string;
  body: string;
  /** The page of our site that shows the details. */
  path: string;
  /** A later notification with the same tag takes its place. */
  tag: string;
};

export type NamedMarket = { title: string; subtitle: string };

const MAX_TEXT = 200;

/** The end of an order; undefined while it is open. */
export function orderNotification(
  item: FeedItem,
  market: NamedMarket | undefined,
): PushNotification | undefined {
  const { order } = item;
  const [news] = activityNotification(activityOf(item), order);
  return news && notificationOf(news, { tag: `order:${order.id}`, body: market && nameOf(market) });
}

/** The result of a holding whose market has a final result; undefined for an empty holding. */
export function settledNotification(entry: PortfolioEntry): PushNotification | undefined {
  const { marketId, side, name: title, subtitle } = entry.venueMarket;
  const [news = notYetPaid(entry)] = settlementNotifications(entry);
  return (
    news &&
    notificationOf(news, { tag: `settled:${marketId}:${side}`, body: nameOf({ title, subtitle }) })
  );
}

/** A price alert that has fired. */
export function alertNotification(
  alert: TriggerTerms & { id: string; ticker: string; firedPriceMicros: bigint | null },
  market: NamedMarket | undefined,
): PushNotification {
  return {
    title: triggeredWords(alert, alert.firedPriceMicros ?? alert.priceMicros),
    body: shortened(market ? nameOf(market) : alert.ticker),
    path: `/markets/${alert.ticker}`,
    tag: `price_alert:${alert.id}`,
  };
}

/** The outcome first: a screen that cuts the text cuts the question. */
function nameOf({ title, subtitle }: NamedMarket): string {
  const outcome = outcomeOf(title, subtitle);
  return outcome === undefined ? title : `${outcome} · ${title}`;
}

type Words = Pick<NotificationItem, 'title' | 'detail' | 'href'>;

/** The result is known before the vault pays. */
function notYetPaid({ portfolioItem, venueMarket }: PortfolioEntry): Words | undefined {
  const { settledAt, payoutDollars, side } = venueMarket;
  const held = parseMicros(portfolioItem.amount);
  if (settledAt === null || payoutDollars === null || held === 0n) return undefined;
  const pays = redemptionUsdcMicros(held, parseMicros(payoutDollars));
  return {
    title: `Your ${contractsRounded(held)} ${sideWord(side)}`,
    detail: `resolved; payout ${dollars(pays)}`,
    href: '/portfolio',
  };
}

function notificationOf(
  news: Words,
  { tag, body }: { tag: string; body: string | undefined },
): PushNotification {
  return {
    title: shortened(sentenceOf(news)),
    body: shortened(body ?? ''),
    path: news.href,
    tag,
  };
}

/** The list shows title and detail side by side; here they are one line. */
function sentenceOf({ title, detail }: Words): string {
  if (detail === '') return title;
  const isContinuation = /^\p{Lowercase}/u.test(detail);
  return isContinuation ? `${title} ${detail}` : `${title}; ${detail}`;
}

function shortened(text: string): string {
  const letters = Array.from(text);
  return letters.length <= MAX_TEXT ? text : `${letters.slice(0, MAX_TEXT - 1).join('')}…`;
}

/** The order as an item of the account's activity. */
function activityOf({ order, ticker, side, isRedemption }: FeedItem): ActivityItem {
  const base = {
    id: order.id,
    at: order.updatedAt,
    orderId: order.id,
    marketId: ticker,
    side,
    fee: null,
    transactionHash: order.transactionHash,
    status: order.status,
    source: order.source,
    terminationReason: order.terminationReason,
    trigger: order.trigger,
    limitPrice: order.limitPrice,
    restingSince: order.restingSince,
    replacedBy: order.replacedBy,
  };
  const { action } = order;
  if (action.orderType === 'Withdraw') {
    const { tokenType, amount } = action.withdrawal;
    const [usdc, tokens] = tokenType === 'erc20' ? [`-${amount}`, null] : [null, amount];
    return { ...base, kind: 'withdrawal', contracts: tokens, usdc };
  }
  const trade = action.order.orderType === 'BUY' ? 'buy' : 'sell';
  const isDone = order.status === 'completed';
  return {
    ...base,
    kind: isRedemption ? 'redeem' : trade,
    contracts: isDone ? order.filledBaseQuantity : action.order.baseQuantity,
    usdc: isDone ? order.quoteAmount : null,
  };
}
