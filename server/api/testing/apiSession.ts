import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect, inject, vi } from 'vitest';
import { type CrossbookClient, createClient } from '#lib/api/client.ts';
import type { MarketList, MarketResponse } from '#lib/api/schemas/market.ts';
import type { OrderRecordWithEvents, OrderRequestInput } from '#lib/api/schemas/order.ts';
import { fetchToken, giveGrant as recordGrant } from '#sandbox/testing/trader.ts';
import { type Database, openDatabase } from '../../platform/database/client.ts';
import { createContractChecker } from './contractChecker.ts';

/** A response as it came over the wire, already compared with the OpenAPI document. */
export type Reply = { status: number; headers: Headers; body: unknown; text: string };

export type SendOptions = {
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  rawBody?: string | Uint8Array<ArrayBuffer>;
  /** False sends no key; a text sends that key. */
  key?: false | string;
  token?: string;
};

export type Session = {
  baseUrl: string;
  apiKey: string;
  client: CrossbookClient;
  send(method: string, target: string, options?: SendOptions): Promise<Reply>;
  /** Like `send`, expecting an error; returns its document. */
  refuse(method: string, target: string, options?: SendOptions): Promise<Refusal>;
};

export type Refusal = {
  status: number;
  code: string;
  detail: string;
  errors: { pointer: string; detail: string }[];
  headers: Headers;
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Calls to the shared sandbox, every response checked against the document it serves. */
export async function openSession(): Promise<Session> {
  const { baseUrl, apiKey } = inject('sandbox');
  const described = await fetch(`${baseUrl}/v1/openapi.json`);
  const checker = createContractChecker((await described.json()) as never);

  async function send(method: string, target: string, options: SendOptions = {}): Promise<Reply> {
    const key = options.key ?? apiKey;
    const json = options.body === undefined ? undefined : JSON.stringify(options.body);
    const response = await fetch(`${baseUrl}${target}`, {
      method,
      headers: {
        ...(key === false ? {} : { 'x-api-key': key }),
        ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      body: options.rawBody ?? json ?? null,
    });
    const text = await response.text();
    const body = parse(text);
    const { status, headers } = response;
    if (text !== '') {
      const [path = ''] = target.split('?', 1);
      const type = headers.get('content-type') ?? '';
      expect(checker.problemsOf({ method, path, status, type, body }), text.slice(0, 400)).toEqual(
        [],
      );
    }
    return { status, headers, body, text };
  }

  return {
    baseUrl,
    apiKey,
    client: createClient({ baseUrl, apiKey }),
    send,
    async refuse(method, target, options) {
      const response = await send(method, target, options);
      expect(response.status, response.text).toBeGreaterThanOrEqual(400);
      return { ...(response.body as Omit<Refusal, 'headers'>), headers: response.headers };
    },
  };
}

/** The database of the shared sandbox, for what a test sets up or finds stored. */
export function openSandboxDatabase(): Database {
  const { databaseUrl: url } = inject('sandbox');
  return openDatabase({ url, applicationName: 'crossbook-test', maxConnections: 2 });
}

export type TestWallet = ReturnType<typeof privateKeyToAccount> & { privateKey: Hex };

/** A new wallet. */
export function newWallet(): TestWallet {
  const privateKey = generatePrivateKey();
  return { ...privateKeyToAccount(privateKey), privateKey };
}

/** A bearer token for a wallet. */
export async function signIn(session: Session, wallet: TestWallet): Promise<string> {
  return await fetchToken(session.client, wallet);
}

/** Records the standard grant of a wallet. */
export async function giveGrant(session: Session, wallet: TestWallet): Promise<void> {
  await recordGrant(session.client, wallet);
}

/** An open market with offers on both sides. */
export async function openMarket(session: Session): Promise<MarketResponse['market']> {
  const list: MarketList = await session.client.listMarkets({ status: 'open', limit: 200 });
  const market = list.markets.find((one) => one.yesAsk < 90 && one.yesBid > 10);
  if (!market) throw new Error('the sandbox has no open market with a two-sided book');
  return market;
}

/** A wallet with funds, a grant and a bearer token: ready to trade. */
export type Trader = { wallet: TestWallet; token: string; account: string };

export async function newTrader(session: Session): Promise<Trader> {
  const wallet = newWallet();
  const { smartAccountAddress } = await session.client.requestFunds(wallet.address);
  await giveGrant(session, wallet);
  return { wallet, token: await signIn(session, wallet), account: smartAccountAddress };
}

/** The body of an order for outcome tokens of a market against USDC. */
export function orderBody(
  trader: { wallet: { address: string } },
  trade: {
    ticker: string;
    side: 'yes' | 'no';
    contracts: string;
    clientId?: string;
  } & ({ buyForAtMost: string } | { sellForAtLeast: string }),
): OrderRequestInput {
  const { contracts } = inject('sandbox');
  const isBuy = 'buyForAtMost' in trade;
  return {
    orderType: 'MarketOrder',
    order: {
      quoteToken: {
        type: 'chain',
        data: { tokenId: '0', chainId: 8453, contractAddress: contracts.usdc },
      },
      baseToken: { type: 'venue', data: { marketId: trade.ticker, side: trade.side } },
      orderType: isBuy ? 'BUY' : 'SELL',
      baseQuantity: trade.contracts,
      ...(isBuy
        ? { maxQuoteQuantityIn: trade.buyForAtMost }
        : { minQuoteQuantityOut: trade.sellForAtLeast }),
    },
    chainId: 8453,
    userAddress: trader.wallet.address,
    ...(trade.clientId === undefined ? {} : { clientId: trade.clientId }),
  };
}

/** The order once nothing more will happen to it. */
export async function whenComplete(
  session: Session,
  id: string,
  token: string,
): Promise<OrderRecordWithEvents> {
  return vi.waitUntil(
    async () => {
      const { body } = await session.send('GET', `/v1/order/${id}`, { token });
      const order = body as OrderRecordWithEvents;
      return order.isComplete ? order : undefined;
    },
    { timeout: 120_000, interval: 200 },
  );
}
