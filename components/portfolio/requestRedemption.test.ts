import { expect, it } from 'vitest';
import { soldOrder } from '#components/order/testing/orders.ts';
import { openRedemption } from './requestRedemption.ts';

const position = { marketId: 'RAIN', side: 'no' } as const;
const redemption = { ...soldOrder, id: 'open', isRedemption: true };

it('finds the open redemption of a position', () => {
  expect(openRedemption([soldOrder, redemption], position)?.id).toBe('open');
});

it('ignores ended redemptions and those of other sides or markets', () => {
  const over = { ...redemption, isComplete: true };
  expect(openRedemption([soldOrder, over], position)).toBeUndefined();
  expect(openRedemption([redemption], { ...position, side: 'yes' })).toBeUndefined();
  expect(openRedemption([redemption], { ...position, marketId: 'SNOW' })).toBeUndefined();
});
