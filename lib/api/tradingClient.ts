import type * as accounts from './schemas/account.ts';
import type { ActivityList, ActivityQuery } from './schemas/activity.ts';
import type * as auth from './schemas/auth.ts';
import type { OutcomeSide } from './schemas/common.ts';
import type { AmendOrderRequest, CancelOrdersRequest } from './schemas/limitOrder.ts';
import type * as markets from './schemas/market.ts';
import type { MergeCalldata, MergeRequest } from './schemas/merge.ts';
import type { AddressName, ResolvedName } from './schemas/name.ts';
import type * as orders from './schemas/order.ts';
import type * as passkey from './schemas/passkey.ts';
import type * as portfolio from './schemas/portfolio.ts';
import type { PortfolioHistory, PortfolioHistoryQuery } from './schemas/portfolioHistory.ts';
import type { Quote, TradeAction } from './schemas/quote.ts';
import type * as relay from './schemas/relay.ts';
import type { SearchQuery, SearchResult } from './schemas/search.ts';
import type { ServiceStatus } from './schemas/status.ts';
import type { TokenMetadata } from './schemas/token.ts';
import type * as withdraw from './schemas/withdraw.ts';
import {
  type CallOptions,
  createTransport,
  type Methods,
  methodsOf,
  type TransportOptions,
} from './transport.ts';

export type ClientOptions = TransportOptions;

const segment = encodeURIComponent;
const market = (ticker: string) => `/v1/prediction-market/markets/${segment(ticker)}`;

function marketCalls({ get }: Methods) {
  return {
    listMarkets: (
      query: Partial<Omit<markets.MarketListQuery, 'tickers' | 'eventTickers'>> & {
        tickers?: string[];
        eventTickers?: string[];
      } = {},
      options?: CallOptions,
    ) =>
      get<markets.MarketList>('/v1/prediction-market/markets', {
        query: {
          ...query,
          tickers: query.tickers?.join(','),
          eventTickers: query.eventTickers?.join(','),
        },
        ...options,
      }),
    getMarket: (ticker: string, options?: CallOptions) =>
      get<markets.MarketResponse>(market(ticker), options),
    getEvent: (eventTicker: string, options?: CallOptions) =>
      get<markets.EventResponse>(`/v1/prediction-market/events/${segment(eventTicker)}`, options),
    /** Only of events about a game that is on; at most 100 events. */
    listScores: (eventTickers: readonly string[], options?: CallOptions) =>
      get<markets.ScoreList>('/v1/prediction-market/scores', {
        query: { eventTickers: eventTickers.join(',') },
        ...options,
      }),
    /** `contracts` is a decimal string such as "12.5". */
    getQuote: (
      ticker: string,
      query: { side: OutcomeSide; contracts: string; action?: TradeAction },
      options?: CallOptions,
    ) => get<Quote>(`${market(ticker)}/quote`, { query, ...options }),
    getOrderBook: (ticker: string, options?: CallOptions) =>
      get<markets.OrderBook>(`${market(ticker)}/orderbook`, options),
    getMarketTerms: (ticker: string, options?: CallOptions) =>
      get<markets.MarketTerms>(`${market(ticker)}/terms`, options),
    listTrades: (
      ticker: string,
      query: { limit?: number; cursor?: string } = {},
      options?: CallOptions,
    ) => get<markets.TradeList>(`${market(ticker)}/trades`, { query, ...options }),
    getPriceHistory: (
      ticker: string,
      query: { range?: markets.PriceHistoryRange } = {},
      options?: CallOptions,
    ) => get<markets.PriceHistory>(`${market(ticker)}/price-history`, { query, ...options }),
    search: (query: Partial<SearchQuery> = {}, options?: CallOptions) =>
      get<SearchResult>('/v1/prediction-market/search', { query, ...options }),
  };
}

function orderCalls({ get, post, patch }: Methods) {
  return {
    /** Requires a bearer token. Pass a `clientId` to make retries safe. */
    createOrder: (body: orders.AnyOrderRequestInput, options?: CallOptions) =>
      post<orders.OrderCreated>('/v1/order', { body, ...options }),
    createCalldataOrder: (body: orders.AnyOrderRequestInput, options?: CallOptions) =>
      post<orders.CalldataResult>('/v1/order/calldata', { body, ...options }),
    /** Turns pairs of Yes and No into dollars, by the user's own wallet. */
    createMergeCalldata: (body: MergeRequest, options?: CallOptions) =>
      post<MergeCalldata>('/v1/merge/calldata', { body, ...options }),
    /** Requires a bearer token. */
    redeemPositions: (body: orders.RedeemRequest, options?: CallOptions) =>
      post<orders.OrdersCreated>('/v1/order/redeem', { body, ...options }),
    /** Requires a bearer token, as `withdraw` does. */
    prepareWithdrawal: (body: withdraw.PrepareWithdrawalInput, options?: CallOptions) =>
      post<withdraw.WithdrawalToSign>('/v1/order/withdraw/typed-data', { body, ...options }),
    withdraw: (body: withdraw.WithdrawRequestInput, options?: CallOptions) =>
      post<orders.WithdrawalCreated>('/v1/order/withdraw', { body, ...options }),
    listOrders: (query: Partial<orders.OrderListQuery> = {}, options?: CallOptions) =>
      get<orders.OrderList>('/v1/order', { query, ...options }),
    getOrder: (id: string, options?: CallOptions) =>
      get<orders.OrderRecordWithEvents>(`/v1/order/${segment(id)}`, options),
    getOrderByClientId: (clientId: string, options?: CallOptions) =>
      get<orders.OrderRecordWithEvents>(`/v1/order/by-client-id/${segment(clientId)}`, options),
    cancelOrder: (id: string, options?: CallOptions) =>
      post<orders.OrderCancelled>(`/v1/order/${segment(id)}/cancel`, options),
    /** Every order that rests, in one market or in all. */
    cancelOrders: (body: CancelOrdersRequest = {}, options?: CallOptions) =>
      post<orders.OrdersCancelled>('/v1/order/cancel', { body, ...options }),
    amendOrder: (id: string, body: AmendOrderRequest, options?: CallOptions) =>
      patch<orders.OrderAmended>(`/v1/order/${segment(id)}`, { body, ...options }),
  };
}

function accountCalls({ get, post, put }: Methods) {
  return {
    getAccount: (address: string, options?: CallOptions) =>
      get<accounts.Account>('/v1/account', { query: { address }, ...options }),
    getAccountSettings: (options?: CallOptions) =>
      get<accounts.AccountSettings>('/v1/account/settings', options),
    putAccountSettings: (body: accounts.AccountSettings, options?: CallOptions) =>
      put<accounts.AccountSettings>('/v1/account/settings', { body, ...options }),
    getTerms: (options?: CallOptions) => get<accounts.TermsState>('/v1/account/terms', options),
    acceptTerms: (version: string, options?: CallOptions) =>
      post<accounts.TermsState>('/v1/account/terms', { body: { version }, ...options }),
    getGrant: (
      query: Pick<accounts.GrantQuery, 'address'> & Partial<accounts.GrantQuery>,
      options?: CallOptions,
    ) => get<accounts.GrantToSign>('/v1/account/grant', { query, ...options }),
    recordGrant: (body: accounts.RecordGrantRequest, options?: CallOptions) =>
      post<accounts.GrantRecorded>('/v1/account/grant', { body, ...options }),
    getSignInMessage: (address: string, options?: CallOptions) =>
      get<auth.AuthMessage>('/v1/auth/message', { query: { address }, ...options }),
    createToken: (body: auth.AuthTokenRequest, options?: CallOptions) =>
      post<auth.AuthToken>('/v1/auth/token', { body, ...options }),
    /** Stores the public key of a new passkey, for other devices. */
    storePasskey: (body: passkey.PasskeyRequest, options?: CallOptions) =>
      post<passkey.Passkey>('/v1/passkeys', { body, ...options }),
    getPasskey: (credentialId: string, options?: CallOptions) =>
      get<passkey.Passkey>(`/v1/passkeys/${segment(credentialId)}`, options),
    /** The passkeys and wallets that own a passkey's wallet. */
    getWalletOwners: (address: string, options?: CallOptions) =>
      get<passkey.WalletOwners>('/v1/account/owners', { query: { address }, ...options }),
    /** What the service sends for the wallet, at its own cost. */
    getRelayTerms: (address: string, options?: CallOptions) =>
      get<relay.RelayTerms>('/v1/relay', { query: { address }, ...options }),
    /** Has a message sent that the owner signed. Retries are safe: one message is one relay. */
    relay: (body: relay.RelayRequestInput, options?: CallOptions) =>
      post<relay.RelayCreated>('/v1/relay', { body, ...options }),
    getRelay: (id: string, options?: CallOptions) =>
      get<relay.Relay>(`/v1/relay/${segment(id)}`, options),
    /** Sandbox only. */
    requestFunds: (address: string, options?: CallOptions) =>
      post<accounts.FaucetResponse>('/v1/sandbox/faucet', { body: { address }, ...options }),
    getPortfolio: (address: string, query: { chainId?: number } = {}, options?: CallOptions) =>
      get<portfolio.Portfolio>(`/v1/tokens/portfolio/${segment(address)}`, { query, ...options }),
    /** Newest first. With a bearer token also pending and failed entries. */
    listActivity: (
      query: Pick<ActivityQuery, 'address'> & Partial<ActivityQuery>,
      options?: CallOptions,
    ) => get<ActivityList>('/v1/activity', { query, ...options }),
    /** Newest first: positions bought here and since sold or redeemed. */
    listClosedPositions: (
      query: Pick<portfolio.ClosedPositionsQuery, 'address'> &
        Partial<portfolio.ClosedPositionsQuery>,
      options?: CallOptions,
    ) => get<portfolio.ClosedPositionList>('/v1/portfolio/closed', { query, ...options }),
    getPortfolioHistory: (
      query: Pick<PortfolioHistoryQuery, 'address'> & Partial<PortfolioHistoryQuery>,
      options?: CallOptions,
    ) => get<PortfolioHistory>('/v1/portfolio/history', { query, ...options }),
    /** The recipient as typed; show the name as returned. */
    resolveName: (name: string, options?: CallOptions) =>
      get<ResolvedName>(`/v1/names/${segment(name)}`, options),
    getNameOfAddress: (address: string, options?: CallOptions) =>
      get<AddressName>('/v1/names', { query: { address }, ...options }),
    getTokenByMarket: (marketId: string, side: OutcomeSide, options?: CallOptions) =>
      get<TokenMetadata>(`/v1/tokens/market/${segment(marketId)}/${side}`, options),
    getToken: (id: string, options?: CallOptions) =>
      get<TokenMetadata>(`/v1/tokens/${segment(id)}`, options),
    getStatus: (options?: CallOptions) => get<ServiceStatus>('/v1/status', options),
  };
}

/**
 * The part of /v1 for reading markets and trading, which nearly every page loads. Every call throws
 * an `ApiProblem` for an error response or a missing one.
 */
export function createTradingClient(options: ClientOptions) {
  const methods = methodsOf(createTransport(options));
  return {
    ...marketCalls(methods),
    ...orderCalls(methods),
    ...accountCalls(methods),
  };
}

export type TradingClient = ReturnType<typeof createTradingClient>;
