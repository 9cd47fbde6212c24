import { type Address, getAddress, isAddressEqual, zeroAddress } from 'viem';
import type { LimitOrderRequest } from '#lib/api/schemas/limitOrder.ts';
import type { AnyOrderRequest, OrderRequest } from '#lib/api/schemas/order.ts';
import { CONTRACT_STEP_MICROS, MICROS, MicrosError, parseMicros } from '#lib/money.ts';
import type { OutcomeSide } from '#lib/outcomeToken.ts';
import type { Chain } from '#server/chain/client.ts';
import type { TradeAction } from '#server/exchange/port.ts';
import { collectProblems, type FieldProblem, ServiceError } from '#server/platform/errors.ts';

/** The trade of an order request in our own units, before any lookup. */
export type Trade = {
  base: { ticker: string; side: OutcomeSide } | { tokenId: bigint };
  tradeAction: TradeAction;
  receiver: Address | undefined;
  contractMicros: bigint;
  /** Buy: maximum to spend. Sell: minimum to receive. Fees included. */
  quoteLimitUsdcMicros: bigint;
};

/** More contracts than any market holds; keeps every product within the database's int8. */
const MAX_CONTRACT_MICROS = 1_000_000_000n * MICROS;

/** What of a request is valid; a field with a problem is undefined. */
export type TradeParts = Pick<Trade, 'tradeAction'> & {
  [Field in keyof Trade]: Trade[Field] | undefined;
} & {
  /** The terms of a limit order: its market decides its price limit, and what an amount buys. */
  limitOrder: LimitOrderRequest['order'] | undefined;
  /** The order as requested, if it waits for a trigger price. */
  stopOrder: AnyOrderRequest['order'] | undefined;
};

export type ParsedTrade = {
  parts: TradeParts;
  /** In the order in which an order is checked. */
  problems: ServiceError[];
};

/** Parses the trade of a well-formed request, and collects every problem of its fields. */
export function parseTrade(
  chain: Pick<Chain, 'id' | 'contracts'>,
  request: AnyOrderRequest,
): ParsedTrade {
  const { problems, attempt } = collectProblems();
  const { order, chainId, receiverAddress } = request;
  attempt(() => requireServedChain(chain, chainId));
  attempt(() => requireUsdc(chain, order.quoteToken));
  const { baseQuantity } = order;
  const contractMicros =
    baseQuantity === undefined ? undefined : attempt(() => readQuantity(baseQuantity));
  const isLimit = request.orderType === 'LimitOrder';
  const quoteLimitUsdcMicros = isLimit
    ? undefined
    : attempt(() => readQuoteLimit(request.order, contractMicros));
  const base = attempt(() => readBase(chain, order.baseToken));
  const receiver = attempt(() => readReceiver(receiverAddress));
  const tradeAction: TradeAction = order.orderType === 'BUY' ? 'buy' : 'sell';
  const limitOrder = isLimit ? request.order : undefined;
  const stopOrder = order.triggerPrice === undefined ? undefined : order;
  const sized = { contractMicros, quoteLimitUsdcMicros, limitOrder, stopOrder };
  return { parts: { base, tradeAction, receiver, ...sized }, problems };
}

/** The field that sets how much an order takes. */
export function amountPointer({
  tradeAction,
  limitOrder,
}: Pick<TradeParts, 'tradeAction' | 'limitOrder'>): string {
  const isAmount = limitOrder ? limitOrder.baseQuantity === undefined : tradeAction === 'buy';
  return isAmount ? '/order/maxQuoteQuantityIn' : '/order/baseQuantity';
}

/** @throws {ServiceError} unsupported_chain */
export function requireServedChain(chain: Pick<Chain, 'id'>, chainId: number): void {
  if (chainId === chain.id) return;
  throw new ServiceError('unsupported_chain', `Only chain ${chain.id} is supported.`, {
    errors: [{ pointer: '/chainId', detail: `must be ${chain.id}` }],
  });
}

type Token = OrderRequest['order']['baseToken'];

function requireUsdc(chain: Pick<Chain, 'id' | 'contracts'>, token: Token): void {
  const isUsdc =
    token.type === 'chain' &&
    token.data.chainId === chain.id &&
    sameAddress(token.data.contractAddress, chain.contracts.usdc);
  if (isUsdc) return;
  throw new ServiceError('unsupported_token', 'The quote token must be USDC on this chain.', {
    errors: [
      {
        pointer: '/order/quoteToken',
        detail: `must be a chain token with contractAddress ${chain.contracts.usdc}`,
      },
    ],
  });
}

function readBase(chain: Pick<Chain, 'id' | 'contracts'>, token: Token): Trade['base'] {
  if (token.type === 'venue') return { ticker: token.data.marketId, side: token.data.side };
  const problem = (detail: string) =>
    new ServiceError('unsupported_token', 'The base token must be an outcome token.', {
      errors: [{ pointer: '/order/baseToken', detail }],
    });
  if (
    token.data.chainId !== chain.id ||
    !sameAddress(token.data.contractAddress, chain.contracts.outcomeToken)
  ) {
    throw problem(`must be a venue token, or a chain token of ${chain.contracts.outcomeToken}`);
  }
  const tokenId = parseTokenId(token.data.tokenId);
  if (tokenId === undefined) throw problem('tokenId must be decimal, 0x-hex or 64 hex digits');
  return { tokenId };
}

/** Accepts an ERC-1155 id as decimal, 0x-hex or exactly 64 hex digits (as wallets substitute it). */
export function parseTokenId(text: string): bigint | undefined {
  const value = /^[0-9a-fA-F]{64}$/.test(text)
    ? BigInt(`0x${text}`)
    : /^0x[0-9a-fA-F]{1,64}$/.test(text) || /^(0|[1-9]\d{0,77})$/.test(text)
      ? BigInt(text)
      : undefined;
  return value !== undefined && value < 2n ** 256n ? value : undefined;
}

/** The exchange trades whole steps; only redemptions may be finer. */
export function stepProblem(contractMicros: bigint, pointer?: string): ServiceError | undefined {
  if (contractMicros % CONTRACT_STEP_MICROS === 0n) return undefined;
  return refuseQuantity('must be a multiple of 0.01', pointer);
}

function refuseQuantity(detail: string, pointer = '/order/baseQuantity'): ServiceError {
  return new ServiceError('quantity_not_allowed', `The quantity ${detail}.`, {
    errors: [{ pointer, detail }],
  });
}

/** @throws {ServiceError} quantity_not_allowed */
export function readQuantity(text: string, pointer?: string): bigint {
  const refuse = (detail: string) => refuseQuantity(detail, pointer);
  const contractMicros = readMicros(text, refuse);
  if (contractMicros === 0n) throw refuse('must be more than zero');
  if (contractMicros > MAX_CONTRACT_MICROS) throw refuse('must be at most 1000000000');
  return contractMicros;
}

function readQuoteLimit(order: OrderRequest['order'], contractMicros: bigint | undefined): bigint {
  const isBuy = order.orderType === 'BUY';
  const field = isBuy ? 'maxQuoteQuantityIn' : 'minQuoteQuantityOut';
  const refuse = (detail: string) => {
    const errors: FieldProblem[] = [{ pointer: `/order/${field}`, detail }];
    return new ServiceError('limit_not_allowed', `The price limit ${field} ${detail}.`, { errors });
  };
  const quoteLimitUsdcMicros = readMicros(order[field] ?? '', refuse);
  if (isBuy && quoteLimitUsdcMicros === 0n) throw refuse('must be more than zero');
  if (!isBuy && contractMicros !== undefined && quoteLimitUsdcMicros > contractMicros) {
    throw refuse('must be at most one dollar per contract');
  }
  if (isBuy && quoteLimitUsdcMicros > 2n * MAX_CONTRACT_MICROS) {
    throw refuse('must be at most 2000000000');
  }
  return quoteLimitUsdcMicros;
}

/** @throws what `refuse` makes of a text that is no amount */
export function readMicros(text: string, refuse: (detail: string) => ServiceError): bigint {
  try {
    return parseMicros(text);
  } catch (error) {
    if (error instanceof MicrosError) throw refuse(error.message);
    throw error;
  }
}

function readReceiver(text: string | undefined): Address | undefined {
  if (text === undefined) return undefined;
  const receiver = getAddress(text.toLowerCase());
  if (receiver === zeroAddress) {
    throw new ServiceError('receiver_not_allowed', 'The zero address cannot receive tokens.', {
      errors: [{ pointer: '/receiverAddress', detail: 'must not be the zero address' }],
    });
  }
  return receiver;
}

function sameAddress(a: string, b: Address): boolean {
  return isAddressEqual(a as Address, b);
}
