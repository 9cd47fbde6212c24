import { expect, it } from 'vitest';
import { paymentLink } from './paymentLink.ts';

const payment = { chainId: 8453, usdc: '0xUsdc', account: '0xAccount' };

it('contains the address and, given an amount, a transfer of exactly that USDC', () => {
  expect(paymentLink({ ...payment, micros: undefined })).toBe('ethereum:0xAccount@8453');
  expect(paymentLink({ ...payment, micros: 25_000_001n })).toBe(
    'ethereum:0xUsdc@8453/transfer?address=0xAccount&uint256=25000001',
  );
});
