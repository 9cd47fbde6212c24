import type { Hex } from 'viem';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Account, GrantMessage } from '#lib/api/schemas/account.ts';
import { giveGrant as recordGrant } from '#sandbox/testing/trader.ts';
import { giveGrant, newWallet, openSession, type Session } from './testing/apiSession.ts';

let session: Session;

beforeAll(async () => {
  session = await openSession();
});

const accountOf = async (address: string): Promise<Account> =>
  (await session.send('GET', `/v1/account?address=${address}`)).body as Account;

describe('GET /v1/account', () => {
  it('200: gives an owner the same smart account before it exists and when asked by it', async () => {
    const { address } = newWallet();
    const account = await accountOf(address.toLowerCase());
    expect(account).toMatchObject({
      owner: address,
      deployed: false,
      chainId: 8453,
      grant: null,
      balances: { usdc: '0', ownerUsdc: '0', ownerNative: '0' },
    });
    expect(account.smartAccountAddress).not.toBe(address);
    expect(await accountOf(account.smartAccountAddress)).toEqual(account);
  });

  it('400: without an address, and for one that is mistyped', async () => {
    const mistyped = '0x70997970C51812dc3A010C7d01b50e0d17dc79c8';
    for (const query of ['', '?address=', '?address=vitalik.eth', `?address=${mistyped}`]) {
      const refused = await session.refuse('GET', `/v1/account${query}`);
      expect(
        refused.errors.map((one) => one.pointer),
        query,
      ).toEqual(['/query/address']);
    }
  });
});

const limitsOf = (grant: Account['grant']) => ({
  maxPerOrder: grant?.maxPerOrder,
  maxPerDay: grant?.maxPerDay,
  maxWithdrawPerDay: grant?.maxWithdrawPerDay,
  withdrawAnywhere: grant?.withdrawAnywhere,
});

describe('the grant', () => {
  async function prepared(query = '') {
    const wallet = newWallet();
    const { body } = await session.send(
      'GET',
      `/v1/account/grant?address=${wallet.address}${query}`,
    );
    const { typedData } = body as Awaited<ReturnType<typeof session.client.getGrant>>;
    const sign = (message: GrantMessage): Promise<Hex> =>
      wallet.signTypedData({
        domain: {
          ...typedData.domain,
          verifyingContract: typedData.domain.verifyingContract as Hex,
        },
        types: { Grant: typedData.types.Grant },
        primaryType: 'Grant',
        message,
      });
    return { wallet, message: typedData.message, sign };
  }

  it('200: is recorded once the owner has signed it', async () => {
    const wallet = newWallet();
    await giveGrant(session, wallet);
    const { grant } = await accountOf(wallet.address);
    expect(grant).toMatchObject({
      status: 'recorded',
      maxPerOrder: '1000',
      maxPerDay: '5000',
      maxWithdrawPerDay: '0',
      withdrawAnywhere: false,
    });
  });

  it('200: given no choice, lets withdrawals go to the owner only', async () => {
    const { message } = await prepared();
    expect(message).toMatchObject({
      maxPerOrder: '1000000000',
      maxPerDay: '5000000000',
      maxWithdrawPerDay: '0',
      withdrawAnywhere: false,
    });
    const capped = await prepared('&maxWithdrawPerDay=10000');
    expect(capped.message.withdrawAnywhere).toBe(false);
    const anywhere = await prepared('&withdrawAnywhere=true');
    expect(anywhere.message).toMatchObject({
      withdrawAnywhere: true,
      maxWithdrawPerDay: '500000000',
    });
  });

  it.each([
    ['narrower', { maxPerOrder: '25', maxPerDay: '100' }],
    ['wider', { maxPerOrder: '7000', withdrawAnywhere: 'true', maxWithdrawPerDay: '40' } as const],
  ])('200: given a %s one before, a renewal asks for the same', async (_, limits) => {
    const wallet = newWallet();
    await recordGrant(session.client, wallet, limits);
    const { grant: before } = await accountOf(wallet.address);
    const { typedData } = await session.client.getGrant({ address: wallet.address });
    await recordGrant(session.client, wallet);
    const { grant } = await accountOf(wallet.address);
    expect(grant).toMatchObject(limitsOf(before));
    expect(before).toMatchObject({ ...limits, withdrawAnywhere: 'withdrawAnywhere' in limits });
    const asked = { address: wallet.address, withdrawAnywhere: 'false' } as const;
    const { typedData: closed } = await session.client.getGrant(asked);
    expect(closed.message).toMatchObject({ withdrawAnywhere: false, maxWithdrawPerDay: '0' });
    expect(closed.message.maxPerOrder).toBe(typedData.message.maxPerOrder);
  });

  it('200: can be made tighter, and a tighter one replaces the first', async () => {
    const { wallet, message, sign } = await prepared();
    await session.client.recordGrant({ grant: message, signature: await sign(message) });
    const tighter = { ...message, maxPerOrder: '5000000', withdrawAnywhere: false };
    await session.client.recordGrant({
      address: wallet.address,
      grant: tighter,
      signature: await sign(tighter),
    });
    const { grant } = await accountOf(wallet.address);
    expect(grant).toMatchObject({ maxPerOrder: '5', withdrawAnywhere: false });
  });

  it('given a signature by another wallet or over another text, returns 422', async () => {
    const { message, sign } = await prepared('&maxPerOrder=7.5');
    const other = await prepared();
    const bodies = [
      { grant: message, signature: await other.sign(message) },
      { grant: { ...message, maxPerDay: '1' }, signature: await sign(message) },
      { grant: message, signature: '0x' },
      { grant: message, signature: await sign(message), address: newWallet().address },
    ];
    for (const body of bodies) {
      const refused = await session.refuse('POST', '/v1/account/grant', { body });
      expect(refused).toMatchObject({ status: 422, code: 'grant_invalid' });
    }
  });

  it('422: terms that cannot hold', async () => {
    const { message, sign } = await prepared();
    const cases: [Partial<GrantMessage>, string][] = [
      [{ operator: newWallet().address }, '/grant/operator'],
      [{ validUntil: '1' }, '/grant/validUntil'],
      [{ validUntil: '281474976710655' }, '/grant/validUntil'],
      [{ maxPerOrder: '18446744073709551615' }, '/grant/maxPerOrder'],
      [{ nonce: '7' }, '/signature'],
    ];
    for (const [change, pointer] of cases) {
      const grant = { ...message, ...change };
      const body = { grant, signature: await sign(grant) };
      const refused = await session.refuse('POST', '/v1/account/grant', { body });
      expect(refused.code).toBe('grant_invalid');
      expect(refused.errors.map((one) => one.pointer)).toContain(pointer);
    }
  });

  it('400: caps that are no amounts', async () => {
    const { address } = newWallet();
    for (const cap of ['-1', '1e3', '0.0000001', 'all']) {
      const refused = await session.refuse(
        'GET',
        `/v1/account/grant?address=${address}&maxPerDay=${cap}`,
      );
      expect(
        refused.errors.map((one) => one.pointer),
        cap,
      ).toEqual(['/query/maxPerDay']);
    }
  });
});

describe('POST /v1/sandbox/faucet', () => {
  it('200: funds the smart account and gives the owner gas, also when many ask at once', async () => {
    const wallets = Array.from({ length: 4 }, newWallet);
    const responses = await Promise.all(
      wallets.map(({ address }) =>
        session.send('POST', '/v1/sandbox/faucet', { body: { address } }),
      ),
    );
    expect(responses.map((one) => one.status)).toEqual([200, 200, 200, 200]);
    for (const { address } of wallets) {
      const { balances } = await accountOf(address);
      expect(balances).toMatchObject({ usdc: '10000', ownerNative: '1' });
    }
  });

  it('400: for what is no address', async () => {
    const refused = await session.refuse('POST', '/v1/sandbox/faucet', { body: { address: '0x' } });
    expect(refused).toMatchObject({ status: 400, code: 'invalid_request' });
  });
});
