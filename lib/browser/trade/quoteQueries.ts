import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query';
import type { Quote } from '#lib/api/schemas/quote.ts';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import { divide, formatMicros, MICROS, parseMicros } from '#lib/money.ts';
import { type AmountUnit, contractsForBudget } from './amount.ts';
import type { TicketQuote, TradeAction, TradeSide } from './quote.ts';

/** The ticket's request for a price. */
export type QuoteAsk = {
  ticker: string;
  side: TradeSide;
  action: TradeAction;
  unit: AmountUnit;
  amountMicros: bigint;
};

const QUOTE_REFRESH_MS = 5_000;

function toTicketQuote(quote: Quote): TicketQuote {
  return {
    contractMicros: parseMicros(String(quote.contracts)),
    fillable: quote.fillable,
    totalUsdcMicros: parseMicros(quote.costDollars),
    feeUsdcMicros: parseMicros(quote.feeDollars),
    bestPriceMicros: quote.bestPriceDollars === null ? null : parseMicros(quote.bestPriceDollars),
    largestOrderMicros: quote.largestOrderDollars ? parseMicros(quote.largestOrderDollars) : null,
    atMs: Date.now(),
  };
}

async function quoteContracts(
  client: TradingClient,
  ask: Omit<QuoteAsk, 'unit' | 'amountMicros'>,
  contractMicros: bigint,
  signal?: AbortSignal,
): Promise<TicketQuote> {
  const { ticker, side, action } = ask;
  const contracts = formatMicros(contractMicros);
  return toTicketQuote(await client.getQuote(ticker, { side, action, contracts }, { signal }));
}

/** Prices get worse with size, so a budget is met by iteration: quote, scale down, quote again. */
const BUDGET_ROUNDS = 4;

/** The most contracts that a budget buys, all fees included, with their price. */
async function quoteBudget(
  client: TradingClient,
  ask: QuoteAsk,
  signal?: AbortSignal,
): Promise<TicketQuote> {
  const one = await quoteContracts(client, ask, MICROS, signal);
  if (one.contractMicros === 0n) return one;
  let wanted = contractsForBudget(ask.amountMicros, allInPriceMicros(one));
  let quote = one;
  for (let round = 0; round < BUDGET_ROUNDS && wanted > 0n; round += 1) {
    quote = await quoteContracts(client, ask, wanted, signal);
    if (quote.totalUsdcMicros <= ask.amountMicros) return quote;
    wanted = contractsForBudget(ask.amountMicros, allInPriceMicros(quote));
  }
  return { ...quote, fillable: false, contractMicros: 0n, totalUsdcMicros: 0n, feeUsdcMicros: 0n };
}

function allInPriceMicros(quote: TicketQuote): bigint {
  return divide(quote.totalUsdcMicros * MICROS, quote.contractMicros, 'up');
}

/** The price for the ticket's amount; the previous one stays visible while a new one loads. */
export function ticketQuoteQuery(client: TradingClient, ask: QuoteAsk | undefined) {
  return queryOptions({
    queryKey: ['ticket-quote', ask && { ...ask, amountMicros: ask.amountMicros.toString() }],
    queryFn: ask
      ? ({ signal }) =>
          ask.unit === 'dollars'
            ? quoteBudget(client, ask, signal)
            : quoteContracts(client, ask, ask.amountMicros, signal)
      : skipToken,
    refetchInterval: QUOTE_REFRESH_MS,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 30_000,
    structuralSharing: false,
  });
}

/** A fresh price for a number of contracts, for the final check before an order. */
export function freshQuote(
  client: TradingClient,
  ask: Omit<QuoteAsk, 'unit' | 'amountMicros'>,
  contractMicros: bigint,
): Promise<TicketQuote> {
  return quoteContracts(client, ask, contractMicros);
}
