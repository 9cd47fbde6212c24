import { describe, expect, it } from 'vitest';
import { isActionable, type TicketContext, type TicketReason, ticketState } from './ticketState.ts';

const ready: TicketContext = {
  action: 'buy',
  execution: 'forMe',
  marketStatus: 'open',
  isOnline: true,
  wallet: 'connected',
  wrongNetwork: false,
  session: 'valid',
  account: 'ready',
  grantUsable: true,
  sandbox: true,
  cashMicros: 100_000_000n,
  heldContractMicros: 0n,
  redeemableUsdcMicros: 0n,
  amount: 'ok',
  quote: 'ready',
  fillable: true,
  soldContractMicros: 0n,
  previewLoading: false,
  blocker: undefined,
  worsePrice: false,
  busy: 'none',
  callsPrepared: false,
  onePress: false,
  confirming: true,
};

describe('ticketState', () => {
  it('given everything ready, allows the order', () => {
    expect(ticketState(ready)).toBe('place');
    expect(ticketState({ ...ready, confirming: false })).toBe('review');
    expect(ticketState({ ...ready, confirming: false, onePress: true })).toBe('place');
    expect(ticketState({ ...ready, execution: 'self' })).toBe('prepareCalls');
    expect(ticketState({ ...ready, execution: 'self', callsPrepared: true })).toBe('signCalls');
  });

  const blockers: [TicketReason, Partial<TicketContext>][] = [
    ['busy', { busy: 'placing' }],
    ['marketNotOpen', { marketStatus: 'paused' }],
    ['offline', { isOnline: false }],
    ['connectWallet', { wallet: 'none' }],
    ['connecting', { wallet: 'connecting' }],
    ['wrongNetwork', { wrongNetwork: true }],
    ['signingIn', { session: 'signing' }],
    ['signIn', { session: 'none' }],
    ['accountLoading', { account: 'loading' }],
    ['accountFailed', { account: 'failed' }],
    ['signGrant', { grantUsable: false }],
    ['getTestFunds', { cashMicros: 0n }],
    ['enterAmount', { amount: 'empty' }],
    ['amountInvalid', { amount: 'invalid' }],
    ['amountNotAStep', { amount: 'not_a_step' }],
    ['amountTooSmall', { amount: 'too_small' }],
    ['quoteFailed', { quote: 'failed' }],
    ['quoteLoading', { quote: 'loading' }],
    ['notFillable', { fillable: false }],
    ['quoteLoading', { previewLoading: true }],
    ['insufficientCash', { blocker: 'insufficientCash' }],
    ['acceptPrice', { worsePrice: true }],
  ];

  it.each(blockers)('stops at %s', (reason, change) => {
    expect(ticketState({ ...ready, ...change })).toBe(reason);
  });

  it('given several reasons, returns the earliest', () => {
    for (const [index, [reason, change]] of blockers.entries()) {
      const later = blockers.slice(index + 1).map(([, other]) => other);
      const all = Object.assign({}, ready, ...later.reverse(), change);
      expect(ticketState(all)).toBe(reason);
    }
  });

  it('given a settled market, offers its payout for redemption', () => {
    const settled = { ...ready, marketStatus: 'settled' as const };
    expect(ticketState(settled)).toBe('marketNotOpen');
    expect(ticketState({ ...settled, redeemableUsdcMicros: 5_000_000n })).toBe('redeem');
    expect(ticketState({ ...settled, redeemableUsdcMicros: 5n, session: 'none' })).toBe('signIn');
    // The service redeems it, on any network of the wallet.
    expect(ticketState({ ...settled, redeemableUsdcMicros: 5n, wrongNetwork: true })).toBe(
      'redeem',
    );
  });

  it('given a self-signed order, requires no grant', () => {
    const self = { ...ready, execution: 'self' } as const;
    expect(ticketState({ ...self, grantUsable: false })).toBe('prepareCalls');
  });

  it('compares a sale with the contracts held, not with cash', () => {
    const sale: TicketContext = {
      ...ready,
      action: 'sell',
      cashMicros: 0n,
      soldContractMicros: 5n,
    };
    expect(ticketState(sale)).toBe('insufficientContracts');
    expect(ticketState({ ...sale, heldContractMicros: 5n })).toBe('place');
  });

  it('offers test funds only on the sandbox', () => {
    const poor = { ...ready, sandbox: false, cashMicros: 0n };
    expect(ticketState({ ...poor, blocker: 'insufficientCash' })).toBe('insufficientCash');
  });
});

it('enables the button only for reasons with an action', () => {
  expect(isActionable('place')).toBe(true);
  expect(isActionable('connectWallet')).toBe(true);
  expect(isActionable('quoteLoading')).toBe(false);
  expect(isActionable('marketNotOpen')).toBe(false);
});
