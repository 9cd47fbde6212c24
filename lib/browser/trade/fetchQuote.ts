import type { Quote } from '#lib/api/schemas/quote.ts';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import {
  CONTRACT_STEP_MICROS,
  divide,
  formatMicros,
  MICROS,
  parseMicros,
  snap,
} from '#lib/money.ts';
import type { AmountUnit } from './amount.ts';
import type { TicketQuote, TradeAction, TradeSide } from './quote.ts';

/** The ticket's request for a price. */
export type QuoteAsk = {
  ticker: string;
  side: TradeSide;
  action: TradeAction;
  unit: AmountUnit;
  amountMicros: bigint;
};

/** The price of an amount, in its unit. */
export function fetchQuote(
  client: TradingClient,
  ask: QuoteAsk,
  signal?: AbortSignal,
): Promise<TicketQuote> {
  return ask.unit === 'dollars'
    ? quoteBudget(client, ask, signal)
    : quoteContracts(client, ask, ask.amountMicros, signal);
}

function toTicketQuote(quote: Quote): TicketQuote {
  return {
    contractMicros: parseMicros(String(quote.contracts)),
    fillable: quote.fillable,
    totalUsdcMicros: parseMicros(quote.costDollars),
    feeUsdcMicros: parseMicros(quote.feeDollars),
    bestPriceMicros: quote.bestPriceDollars === null ? null : parseMicros(quote.bestPriceDollars),
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

/** Prices get worse with size, so an amount is met by iteration: quote, scale, quote again. */
const BUDGET_ROUNDS = 5;

/** The most contracts that an amount buys, all fees included, with their price. */
async function quoteBudget(
  client: TradingClient,
  ask: QuoteAsk,
  signal?: AbortSignal,
): Promise<TicketQuote> {
  const capUsdcMicros = ask.amountMicros;
  const one = await quoteContracts(client, ask, MICROS, signal);
  if (one.contractMicros === 0n) return { ...one, capUsdcMicros };
  let wanted = contractsForBudget(capUsdcMicros, allInPriceMicros(one));
  let best: TicketQuote | undefined;
  let tooMany: bigint | undefined;
  for (let round = 0; round < BUDGET_ROUNDS && wanted > 0n; round += 1) {
    const quote = await quoteContracts(client, ask, wanted, signal);
    if (quote.totalUsdcMicros <= capUsdcMicros) {
      best = quote;
      if (!quote.fillable) break;
    } else tooMany = quote.contractMicros;
    if (quote.contractMicros === 0n) break;
    wanted = contractsForBudget(capUsdcMicros, allInPriceMicros(quote));
    if (tooMany !== undefined && wanted >= tooMany) {
      wanted = snap(((best?.contractMicros ?? 0n) + tooMany) / 2n, CONTRACT_STEP_MICROS, 'down');
    }
    if (best && wanted <= best.contractMicros) break;
  }
  if (best) return { ...best, capUsdcMicros };
  const nothing = { contractMicros: 0n, totalUsdcMicros: 0n, feeUsdcMicros: 0n };
  return { ...one, ...nothing, fillable: false, capUsdcMicros };
}

function allInPriceMicros(quote: TicketQuote): bigint {
  return divide(quote.totalUsdcMicros * MICROS, quote.contractMicros, 'up');
}

/**
 * How many contracts a budget buys at a price per contract with fees, on the exchange's grid and
 * never over the budget.
 */
export function contractsForBudget(budgetMicros: bigint, allInPriceMicros: bigint): bigint {
  if (allInPriceMicros <= 0n) return 0n;
  const contracts = (budgetMicros * MICROS) / allInPriceMicros;
  return contracts - (contracts % CONTRACT_STEP_MICROS);
}

/**
 * A fresh price for the final check before an order: of the contracts that were shown, or of as many
 * as the amount still buys.
 */
export async function freshQuote(
  client: TradingClient,
  ask: Omit<QuoteAsk, 'unit' | 'amountMicros'>,
  shown: TicketQuote,
): Promise<TicketQuote> {
  const { capUsdcMicros } = shown;
  const fresh = await quoteContracts(client, ask, shown.contractMicros);
  if (capUsdcMicros === undefined) return fresh;
  return fresh.fillable && fresh.totalUsdcMicros <= shown.totalUsdcMicros
    ? { ...fresh, capUsdcMicros }
    : quoteBudget(client, { ...ask, unit: 'dollars', amountMicros: capUsdcMicros });
}
