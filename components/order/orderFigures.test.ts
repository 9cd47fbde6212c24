import { describe, expect, it } from 'vitest';
import { orderFigures } from './orderFigures.ts';
import { ACCOUNT, boughtOrder, soldOrder } from './testing/orders.ts';

const taken = {
  isComplete: true,
  filledBaseQuantity: '10',
  quoteAmount: '6.2',
  feeQuoteAmount: '0.2',
} as const;

describe('orderFigures', () => {
  it('given an open order, returns its price limit', () => {
    expect(orderFigures(soldOrder)).toEqual({
      contractMicros: 12_500_000n,
      averageMicros: undefined,
      usdcMicros: 5_000_000n,
      quoteLimit: 'least',
    });
    expect(orderFigures(boughtOrder)).toMatchObject({ usdcMicros: 7_000_000n, quoteLimit: 'most' });
  });

  it('given fills, returns the amount and the average price before fees', () => {
    expect(orderFigures({ ...boughtOrder, ...taken })).toEqual({
      contractMicros: 10_000_000n,
      averageMicros: 600_000n,
      usdcMicros: 6_200_000n,
      quoteLimit: undefined,
    });
    expect(orderFigures({ ...soldOrder, ...taken })).toMatchObject({ averageMicros: 640_000n });
  });

  it('given a failed order, returns no amounts', () => {
    expect(orderFigures({ ...boughtOrder, isComplete: true })).toEqual({
      contractMicros: 12_500_000n,
      averageMicros: undefined,
      usdcMicros: undefined,
      quoteLimit: undefined,
    });
  });

  it('given a payout, returns no price', () => {
    const paid = { ...soldOrder, ...taken, isRedemption: true, feeQuoteAmount: '0' };
    expect(orderFigures(paid)).toMatchObject({ usdcMicros: 6_200_000n, averageMicros: undefined });
    expect(orderFigures({ ...soldOrder, isRedemption: true }).usdcMicros).toBeUndefined();
  });

  it('given a withdrawal, distinguishes USDC from contracts', () => {
    const withdrawal = (tokenType: 'erc20' | 'erc1155') =>
      orderFigures({
        ...soldOrder,
        action: {
          orderType: 'Withdraw',
          chainId: 8453,
          withdrawal: {
            destinationAddress: ACCOUNT,
            amount: '2.5',
            tokenType,
            tokenAddress: ACCOUNT,
          },
        },
      });
    expect(withdrawal('erc20')).toMatchObject({ usdcMicros: 2_500_000n });
    expect(withdrawal('erc20').contractMicros).toBeUndefined();
    expect(withdrawal('erc1155')).toMatchObject({ contractMicros: 2_500_000n });
  });
});
