import { describe, expect, test } from 'vitest';
import { toWalletError, WalletError } from '#lib/browser/wallet/errors.ts';
import { UnconfirmedRelay } from './relayMessage.ts';
import { stillInWallet } from './stillInWallet.ts';

const DEPOSIT_MICROS = 2_970_000n;
const declined = () => toWalletError(Object.assign(new Error('no'), { code: 4001 }), false);

describe('of a deposit with its order', () => {
  test('given a declined deposit, the money is in the wallet and the error is still the wallet’s', () => {
    const error = stillInWallet(declined(), 'signDeposit', DEPOSIT_MICROS);
    expect(error).toBeInstanceOf(WalletError);
    expect(error).toMatchObject({ problem: 'rejected' });
    expect(error.message).toMatch(/Nothing was sent\. Your \$2\.97 is still in your wallet\.$/);
  });

  test('given a declined order, the signed deposit moves nothing', () => {
    const { message } = stillInWallet(declined(), 'signOrder', DEPOSIT_MICROS);
    expect(message).toContain('without this signature the deposit that you signed moves nothing');
  });

  test('given a refusal after both signatures, the money is in the wallet', () => {
    const { message } = stillInWallet(new Error('Refused.'), 'send', DEPOSIT_MICROS);
    expect(message).toBe('Refused. Your $2.97 is still in your wallet.');
  });

  test('given no confirmation yet, it says when the money is where', () => {
    const { message } = stillInWallet(new UnconfirmedRelay(), 'send', DEPOSIT_MICROS);
    expect(message).toContain('in your wallet until it does, and in your account afterwards');
  });
});
