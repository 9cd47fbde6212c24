import { describe, expect, test } from 'vitest';
import { NO_SESSION_KEY } from '#lib/account/sessionKey.ts';
import { anyOrderRequestSchema } from '#lib/api/schemas/order.ts';
import { ServiceError } from '#server/platform/errors.ts';
import type { TradeFacts } from '../orders/create/resolveTrade.ts';
import { parseTrade } from '../orders/create/validateTrade.ts';
import type { PreviewFacts } from './previewFacts.ts';
import { assess } from './previewOrder.ts';
import { serializePreview } from './serializePreview.ts';

const NOW = new Date('2026-11-23T12:00:00Z');
const VAULT = '0x00000000000000000000000000000000000000A3';
const ACCOUNT = '0x00000000000000000000000000000000000000A1';
const OWNER = '0x00000000000000000000000000000000000000A2';
const USDC = '0x00000000000000000000000000000000000000B1';
const contracts = {
  usdc: USDC,
  outcomeToken: OWNER,
  swapVault: VAULT,
  settlement: VAULT,
  accountFactory: OWNER,
} as const;
const DOLLARS = 1_000_000n;

/** Ten Yes contracts for at most 6 USDC, or ten sold for at least 4. */
function parsed(direction: 'BUY' | 'SELL', change: object = {}) {
  const limit = direction === 'BUY' ? { maxQuoteQuantityIn: '6' } : { minQuoteQuantityOut: '4' };
  return parse('MarketOrder', { orderType: direction, ...limit, ...change });
}

/** Ten Yes contracts at a price. */
function parsedLimit(direction: 'BUY' | 'SELL', terms: object) {
  return parse('LimitOrder', { orderType: direction, ...terms });
}

function parse(orderType: 'MarketOrder' | 'LimitOrder', terms: object) {
  const quoteToken = {
    type: 'chain',
    data: { tokenId: '0', chainId: 8453, contractAddress: USDC },
  };
  const baseToken = { type: 'venue', data: { marketId: 'RAIN', side: 'yes' } };
  const request = anyOrderRequestSchema.parse({
    orderType,
    order: { quoteToken, baseToken, baseQuantity: '10', ...terms },
    chainId: 8453,
    userAddress: OWNER,
  });
  return parseTrade({ id: 8453, contracts }, request);
}

const market: TradeFacts = {
  trading: {
    market: {
      ticker: 'RAIN',
      eventTicker: 'WEATHER',
      shard: 2,
      status: 'open',
      closeAt: NOW,
      priceRanges: [{ startMicros: 0n, endMicros: DOLLARS, stepMicros: 10_000n }],
    },
    fee: { kind: 'waived' },
  },
  settlement: undefined,
  payoutYesMicros: undefined,
  largest: { buy: 100n * DOLLARS, sell: 100n * DOLLARS },
};

const bucket = { roomUsdcMicros: 100n * DOLLARS, perHourUsdcMicros: 100n * DOLLARS };
const room = {
  blockNumber: 1n,
  blockHash: '0x1',
  at: NOW,
  isPaused: false,
  mint: bucket,
  payout: bucket,
  fundsUsdcMicros: 100n * DOLLARS,
};
const nothing = { usdcMicros: 0n, filledUsdcMicros: 0n };
const held = { buy: nothing, sell: nothing };

const account = {
  deployed: true,
  grant: {
    operator: VAULT,
    validUntil: BigInt(NOW.getTime() / 1000 + 3_600),
    withdrawAnywhere: false,
    maxPerOrder: 100n * DOLLARS,
    maxPerDay: 100n * DOLLARS,
    maxWithdrawPerDay: 0n,
    nonce: 0n,
    ...NO_SESSION_KEY,
  },
  nextGrantNonce: 1n,
  usdcMicros: 100n * DOLLARS,
  contractMicros: 100n * DOLLARS,
  leftTodayUsdcMicros: 100n * DOLLARS,
} as const;

const book = {
  ticker: 'RAIN',
  yesBids: [{ priceMicros: 450_000n, contractMicros: 50n * DOLLARS }],
  noBids: [{ priceMicros: 500_000n, contractMicros: 50n * DOLLARS }],
};

/** A purchase that nothing blocks. */
const CLEAR: PreviewFacts = {
  now: NOW,
  source: 'api',
  callerProblems: [],
  parsed: parsed('BUY'),
  isForAmount: false,
  outcome: { ticker: 'RAIN', side: 'yes' },
  marketProblems: [],
  market,
  reading: { book, asOf: NOW },
  own: {},
  reducibleContractMicros: undefined,
  suspensionProblems: [],
  limitProblems: [],
  identity: { owner: OWNER, account: ACCOUNT },
  payer: ACCOUNT,
  sender: OWNER,
  account,
  recordedGrant: undefined,
  awaited: [],
  vault: VAULT,
  includesApproval: true,
  allowanceUsdcMicros: undefined,
  room: { room, held, waiting: [] },
  cash: {
    balances: [{ shard: 2, balanceMicros: 100n * DOLLARS }],
    inTransitMicros: 0n,
    isAllocated: false,
  },
  absenceMs: 45_000,
};

const previewOf = (change: Partial<PreviewFacts> = {}) =>
  serializePreview(assess({ ...CLEAR, ...change }));
const codesOf = (change: Partial<PreviewFacts>) =>
  previewOf(change).blockers.map(({ code, outcome }) => `${code} ${outcome}`);
const refusal = (code: ConstructorParameters<typeof ServiceError>[0]) => [
  new ServiceError(code, ''),
];

const emptyBook = { book: { ...book, yesBids: [], noBids: [] }, asOf: NOW };
const earlier = { ticker: 'RAIN', side: 'yes', tradeAction: 'buy', isRedemption: false } as const;
const settled: TradeFacts = {
  ...market,
  trading: { ...market.trading, market: { ...market.trading.market, status: 'settled' } },
  payoutYesMicros: 700_000n,
};

/** One blocker each, in the order in which an order meets them. */
const BLOCKERS: [string, Partial<PreviewFacts>][] = [
  ['wrong_owner refused', { callerProblems: refusal('wrong_owner') }],
  ['market_suspended refused', { suspensionProblems: refusal('market_suspended') }],
  ['trading_limit_reached refused', { limitProblems: refusal('trading_limit_reached') }],
  ['insufficient_funds ends', { awaited: [{ ...earlier, micros: 95n * DOLLARS }] }],
  ['grant_exceeded ends', { account: { ...account, leftTodayUsdcMicros: 5n * DOLLARS } }],
  [
    'exchange_unfunded ends',
    {
      cash: {
        balances: [{ shard: 2, balanceMicros: 0n }],
        inTransitMicros: 0n,
        isAllocated: false,
      },
    },
  ],
  ['price_moved ends', { reading: emptyBook }],
];

describe('the blockers of a purchase', () => {
  test('are none when the account, the market and the vault are ready', () => {
    expect(previewOf()).toMatchObject({
      placeable: true,
      blockers: [],
      estimate: {
        fillable: true,
        filledBaseQuantity: '10',
        quoteAmount: '5',
        returnedQuoteAmount: '1',
        averagePriceDollars: '0.5000',
        limitPriceDollars: '0.6000',
      },
      signing: { grant: 'in_force', leastMaxPerOrder: '6', leastMaxPerDay: '6', transactions: 0 },
    });
  });

  test.each(BLOCKERS)('given only one, are %s', (code, change) => {
    // What earlier orders take counts against the cap as well.
    const also = code.startsWith('insufficient') ? ['grant_exceeded ends'] : [];
    expect(codesOf(change)).toEqual([code, ...also]);
  });

  test('are all named at once, in the order in which the order would meet them', () => {
    const all = Object.assign({}, ...BLOCKERS.map(([, change]) => change));
    expect(codesOf(all)).toEqual(BLOCKERS.map(([code]) => code));
  });

  test.each<[string, Partial<PreviewFacts>, string[]]>([
    ['no grant', { account: { ...account, grant: undefined } }, ['grant_required ends']],
    [
      'paused contracts',
      { room: { room: { ...room, isPaused: true }, held, waiting: [] } },
      ['contracts_paused ends'],
    ],
    [
      'a vault without room',
      {
        room: {
          room: { ...room, mint: { roomUsdcMicros: 0n, perHourUsdcMicros: 7n * DOLLARS } },
          held,
          waiting: [],
        },
      },
      ['no_delivery_room ends'],
    ],
    [
      'an order that is too large, no room as well',
      {
        market: { ...market, largest: { buy: 5n * DOLLARS, sell: 0n } },
        room: {
          room: { ...room, mint: { roomUsdcMicros: 0n, perHourUsdcMicros: 5n * DOLLARS } },
          held,
          waiting: [],
        },
      },
      ['order_too_large refused'],
    ],
    [
      'cash on another shard, which the service brings',
      {
        cash: {
          balances: [
            { shard: 2, balanceMicros: 0n },
            { shard: 3, balanceMicros: 9n * DOLLARS },
          ],
          inTransitMicros: 0n,
          isAllocated: true,
        },
      },
      [],
    ],
  ])('given %s', (_what, change, codes) => {
    expect(codesOf(change)).toEqual(codes);
  });

  test('point at the field to change and say by how much', () => {
    const [blocker] = previewOf({ account: { ...account, usdcMicros: DOLLARS } }).blockers;
    expect(blocker).toMatchObject({
      code: 'insufficient_funds',
      errors: [
        {
          pointer: '/order/maxQuoteQuantityIn',
          detail: 'needs 6 USDC; the account has 1 available',
        },
      ],
    });
  });
});

describe('a limit order', () => {
  const limit = (change: object = {}, direction: 'BUY' | 'SELL' = 'BUY') =>
    parsedLimit(direction, { limitPrice: '0.55', ...change });

  test('that matches in part says what it is charged now, what rests and what is ahead', () => {
    const deep = { ...book, yesBids: [{ priceMicros: 450_000n, contractMicros: 7n * DOLLARS }] };
    const noBids = [{ priceMicros: 500_000n, contractMicros: 4n * DOLLARS }];
    const reading = { book: { ...deep, noBids }, asOf: NOW };
    expect(previewOf({ parsed: limit(), reading })).toMatchObject({
      placeable: true,
      estimate: {
        fillable: false,
        filledBaseQuantity: '4',
        quoteAmount: '2',
        returnedQuoteAmount: '0',
        remainingBaseQuantity: '6',
        queueAhead: '0',
      },
      funding: { lockedQuoteAmount: '5.5', highestFeeQuoteAmount: '0' },
      signing: { leastMaxPerOrder: '5.5' },
    });
    const behind = previewOf({ parsed: limit({ limitPrice: '0.45' }), reading });
    expect(behind.estimate).toMatchObject({ filledBaseQuantity: '0', queueAhead: '7' });
  });

  test('names its highest fee at half a dollar, where it may match at it', () => {
    const fee = { kind: 'quadratic', takerRateMicros: 70_000n, multiplierMicros: DOLLARS } as const;
    const charging = { ...market, trading: { ...market.trading, fee } };
    const feeOf = (limitPrice: string) =>
      previewOf({ market: charging, parsed: limit({ limitPrice }) }).funding?.highestFeeQuoteAmount;
    expect(feeOf('0.9')).toBe('0.175');
    expect(feeOf('0.1')).toBe('0.063');
  });

  test.each<[string, Partial<PreviewFacts>, string[]]>([
    [
      'an offer within its price that it must not match',
      {
        parsed: limit({ postOnly: true }),
      },
      ['post_only_would_cross ends'],
    ],
    [
      'too few offers to fill it whole',
      {
        parsed: limit({ timeInForce: 'FOK', baseQuantity: '60' }),
      },
      ['not_filled_whole ends'],
    ],
    [
      'no offer within its price',
      {
        parsed: limit({ timeInForce: 'IOC', limitPrice: '0.45' }),
      },
      ['price_moved ends'],
    ],
    [
      'another order on Crossbook at its price',
      {
        parsed: limit(),
        own: { askMicros: 550_000n },
      },
      ['crosses_open_order refused'],
    ],
    [
      'fewer contracts than it reduces',
      {
        parsed: limit({ reduceOnly: true }),
        reducibleContractMicros: DOLLARS,
      },
      ['reduce_only_not_held refused'],
    ],
    [
      'a vault without room, which it needs only once filled',
      {
        parsed: limit(),
        room: {
          room: { ...room, mint: { roomUsdcMicros: 0n, perHourUsdcMicros: 7n * DOLLARS } },
          held,
          waiting: [],
        },
      },
      [],
    ],
    [
      'a settled market, whose tokens it cannot redeem',
      {
        parsed: parsedLimit('SELL', { limitPrice: '0.55' }),
        market: settled,
        reading: undefined,
      },
      ['market_not_open refused'],
    ],
  ])('given %s', (_what, change, codes) => {
    expect(codesOf(change)).toEqual(codes);
  });

  test('is told every problem at once', () => {
    const wrong = limit({
      baseQuantity: '10.005',
      timeInForce: 'GTD',
      expiresAt: NOW.toISOString(),
    });
    const change = { parsed: wrong, account: { ...account, usdcMicros: 0n, grant: undefined } };
    expect(codesOf(change)).toEqual([
      'quantity_not_allowed refused',
      'deadline_not_allowed refused',
      'insufficient_funds ends',
      'grant_required ends',
    ]);
  });
});

describe('a stop order', () => {
  const stop = { triggerPrice: '0.6', direction: 'above' };

  test('is not blocked by the book and the room of this moment, and has no estimate', () => {
    const full = { ...room, mint: { roomUsdcMicros: 0n, perHourUsdcMicros: 7n * DOLLARS } };
    const preview = previewOf({
      parsed: parsed('BUY', stop),
      reading: emptyBook,
      room: { room: full, held, waiting: [] },
    });
    expect(preview).toMatchObject({
      placeable: true,
      blockers: [],
      estimate: null,
      funding: { lockedQuoteAmount: '6' },
    });
  });

  test.each([
    [{ triggerPrice: '0.605' }, '/order/triggerPrice', 'price_not_allowed refused'],
    [{ expiresAt: '2026-11-23T12:00:30.000Z' }, '/order/expiresAt', 'deadline_not_allowed refused'],
  ])('given %o, is refused and told which field', (change, pointer, code) => {
    const given = { parsed: parsed('BUY', { ...stop, ...change }) };
    expect(codesOf(given)).toEqual([code]);
    expect(previewOf(given).blockers[0]?.errors?.[0]?.pointer).toBe(pointer);
  });

  test('in a settled market is refused, not redeemed', () => {
    const given = { market: settled, reading: undefined, parsed: parsed('SELL', stop) };
    expect(codesOf(given)).toEqual(['market_not_open refused']);
  });
});

describe('an order of the user’s own wallet', () => {
  const own = { source: 'calldata' } as const;

  test('needs no grant, and says how many transactions the wallet sends', () => {
    const change = { ...own, account: { ...account, grant: undefined } };
    expect(previewOf(change)).toMatchObject({
      blockers: [],
      signing: { grant: 'not_needed', transactions: 1, approvedQuoteAmount: '6' },
    });
    const undeployed = { ...own, account: { ...account, deployed: false } };
    expect(previewOf(undeployed).signing?.transactions).toBe(2);
    const bySender = { ...own, payer: OWNER, sender: OWNER } as const;
    expect(previewOf(bySender).signing?.transactions).toBe(2);
  });

  test('reverts without funds or allowance, or while the contracts are paused', () => {
    const change = {
      ...own,
      account: { ...account, usdcMicros: 0n },
      includesApproval: false,
      allowanceUsdcMicros: DOLLARS,
      room: { room: { ...room, isPaused: true }, held, waiting: [] },
    };
    expect(codesOf(change)).toEqual([
      'contracts_paused reverts',
      'insufficient_allowance reverts',
      'insufficient_funds reverts',
    ]);
  });
});

describe('a sale in a settled market', () => {
  const sale = { market: settled, reading: undefined, parsed: parsed('SELL') };

  test('is paid by the vault and needs no grant', () => {
    expect(previewOf({ ...sale, account: { ...account, grant: undefined } })).toMatchObject({
      placeable: true,
      estimate: { quoteAmount: '7', feeQuoteAmount: '0', limitPriceDollars: null },
      funding: { lockedBaseQuantity: '10', leastQuoteAmount: '4' },
      signing: { grant: 'not_needed', leastMaxPerOrder: null },
    });
  });

  test('is refused above the payout, and from the own wallet before it is final', () => {
    const above = parsed('SELL', { minQuoteQuantityOut: '7.1' });
    expect(codesOf({ ...sale, parsed: above })).toEqual(['limit_not_allowed refused']);
    const own = { ...sale, source: 'calldata' } as const;
    expect(codesOf(own)).toEqual(['settlement_pending refused']);
    const paid: TradeFacts = { ...settled, settlement: { state: 'final' } };
    expect(codesOf({ ...own, market: paid })).toEqual([]);
  });
});
