import { describe, expect, test } from 'vitest';
import { type OrderRequest, orderRequestSchema } from '#lib/api/schemas/order.ts';
import { outcomeTokenId } from '#lib/outcomeToken.ts';
import { isServiceError, throwFirst } from '#server/platform/errors.ts';
import { parseTokenId, parseTrade, stepProblem } from './validateTrade.ts';

const USDC = '0x00000000000000000000000000000000000000A1';
const OUTCOME_TOKEN = '0x00000000000000000000000000000000000000a2';
const chain = {
  id: 8453,
  contracts: {
    usdc: USDC,
    outcomeToken: OUTCOME_TOKEN,
    swapVault: '0x00000000000000000000000000000000000000A3',
    settlement: '0x00000000000000000000000000000000000000A5',
    accountFactory: '0x00000000000000000000000000000000000000a4',
  },
} as const;

const usdcToken = {
  type: 'chain',
  data: { tokenId: '0', chainId: 8453, contractAddress: USDC.toLowerCase() },
};
const yesToken = { type: 'venue', data: { marketId: 'RAIN-SF', side: 'yes' } };

function request(changes: { order?: object; [field: string]: unknown } = {}): OrderRequest {
  const { order, ...rest } = changes;
  return orderRequestSchema.parse({
    orderType: 'MarketOrder',
    order: {
      quoteToken: usdcToken,
      baseToken: yesToken,
      orderType: 'BUY',
      baseQuantity: '10',
      maxQuoteQuantityIn: '6.2',
      ...order,
    },
    chainId: 8453,
    userAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    ...rest,
  });
}

function readTrade(body: ReturnType<typeof request>) {
  const { parts, problems } = parseTrade(chain, body);
  throwFirst(problems);
  return parts;
}

function refusal(changes: Parameters<typeof request>[0]) {
  try {
    readTrade(request(changes));
  } catch (error) {
    if (isServiceError(error)) return { code: error.code, pointer: error.errors[0]?.pointer };
    throw error;
  }
  return undefined;
}

describe('parseTrade', () => {
  test('reads a buy', () => {
    expect(readTrade(request())).toEqual({
      base: { ticker: 'RAIN-SF', side: 'yes' },
      tradeAction: 'buy',
      contractMicros: 10_000_000n,
      quoteLimitUsdcMicros: 6_200_000n,
      receiver: undefined,
      limitOrder: undefined,
    });
  });

  test('reads a sell of a token named by its id', () => {
    const tokenId = outcomeTokenId('RAIN-SF', 'no');
    const trade = readTrade(
      request({
        order: {
          orderType: 'SELL',
          maxQuoteQuantityIn: undefined,
          minQuoteQuantityOut: '0',
          baseToken: {
            type: 'chain',
            data: { tokenId: `${tokenId}`, chainId: 8453, contractAddress: OUTCOME_TOKEN },
          },
        },
      }),
    );
    expect(trade).toMatchObject({
      base: { tokenId },
      tradeAction: 'sell',
      quoteLimitUsdcMicros: 0n,
    });
  });

  test.each([
    ['another chain', { chainId: 1 }, 'unsupported_chain', '/chainId'],
    [
      'a foreign quote token',
      { order: { quoteToken: yesToken } },
      'unsupported_token',
      '/order/quoteToken',
    ],
    ['USDC as base', { order: { baseToken: usdcToken } }, 'unsupported_token', '/order/baseToken'],
    [
      'no contracts',
      { order: { baseQuantity: '0' } },
      'quantity_not_allowed',
      '/order/baseQuantity',
    ],
    [
      'more digits than the unit',
      { order: { baseQuantity: '1.0000001' } },
      'quantity_not_allowed',
      '/order/baseQuantity',
    ],
    [
      'absurdly many',
      { order: { baseQuantity: '1000000001' } },
      'quantity_not_allowed',
      '/order/baseQuantity',
    ],
    [
      'a free lunch',
      { order: { maxQuoteQuantityIn: '0' } },
      'limit_not_allowed',
      '/order/maxQuoteQuantityIn',
    ],
    [
      'more than a dollar per contract',
      { order: { orderType: 'SELL', minQuoteQuantityOut: '10.000001' } },
      'limit_not_allowed',
      '/order/minQuoteQuantityOut',
    ],
    [
      'the zero address as receiver',
      { receiverAddress: '0x0000000000000000000000000000000000000000' },
      'receiver_not_allowed',
      '/receiverAddress',
    ],
  ])('refuses %s', (_what, changes, code, pointer) => {
    expect(refusal(changes)).toEqual({ code, pointer });
  });
});

test('given several invalid fields, names each of them and keeps the valid ones', () => {
  const { parts, problems } = parseTrade(
    chain,
    request({
      chainId: 1,
      order: { quoteToken: yesToken, baseQuantity: '0', maxQuoteQuantityIn: '0' },
      receiverAddress: '0x0000000000000000000000000000000000000000',
    }),
  );
  expect(problems.map(({ errors }) => errors[0]?.pointer)).toEqual([
    '/chainId',
    '/order/quoteToken',
    '/order/baseQuantity',
    '/order/maxQuoteQuantityIn',
    '/receiverAddress',
  ]);
  expect(parts).toMatchObject({ base: { ticker: 'RAIN-SF' }, tradeAction: 'buy' });
  expect(parts.contractMicros).toBeUndefined();
});

describe('stepProblem', () => {
  test('accepts the step of the exchange and refuses finer quantities', () => {
    expect(stepProblem(10_000n)).toBeUndefined();
    expect(stepProblem(1_230_000n)).toBeUndefined();
    expect(stepProblem(5_000n)?.message).toContain('0.01');
    expect(stepProblem(1n)?.message).toContain('0.01');
  });
});

describe('parseTokenId', () => {
  const id = outcomeTokenId('RAIN-SF', 'yes');
  const digits = id.toString(16).padStart(64, '0');

  test.each([
    ['decimal', id.toString(), id],
    ['0x-hex', `0x${digits}`, id],
    ['64 hex digits', digits, id],
    ['too large', (2n ** 256n).toString(), undefined],
    ['negative', '-1', undefined],
    ['exponent', '1e3', undefined],
    ['empty', '', undefined],
  ])('reads %s', (_form, text, value) => {
    expect(parseTokenId(text)).toBe(value);
  });
});
