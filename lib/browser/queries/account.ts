import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { PortfolioHistoryRange } from '#lib/api/schemas/portfolioHistory.ts';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import { storeAccount } from '../account/rememberedAccount.ts';

export const accountKeys = {
  all: ['account'] as const,
  detail: (address: string) => ['account', address.toLowerCase()] as const,
  settings: (owner: string) => ['account', owner.toLowerCase(), 'settings'] as const,
  terms: (owner: string) => ['account', owner.toLowerCase(), 'terms'] as const,
  sessions: (owner: string) => ['account', owner.toLowerCase(), 'sessions'] as const,
  closed: (address: string) => ['account', address.toLowerCase(), 'closed'] as const,
  portfolio: (address: string) => ['account', address.toLowerCase(), 'portfolio'] as const,
};

export function accountQuery(client: TradingClient, address: string) {
  return queryOptions({
    queryKey: accountKeys.detail(address),
    queryFn: async ({ signal }) => {
      const account = await client.getAccount(address, { signal });
      storeAccount(account);
      return account;
    },
    refetchInterval: 10_000,
  });
}

/** The address that a name stands for, as the service finds it. */
export function nameQuery(client: TradingClient, name: string) {
  return queryOptions({
    queryKey: ['names', name.toLowerCase()] as const,
    queryFn: ({ signal }) => client.resolveName(name.toLowerCase(), { signal }),
    staleTime: 60_000,
    retry: false,
  });
}

/** Which terms hold, and which the signed-in wallet has accepted. */
export function termsQuery(client: TradingClient, owner: string) {
  return queryOptions({
    queryKey: accountKeys.terms(owner),
    queryFn: ({ signal }) => client.getTerms({ signal }),
  });
}

/** What the signed-in owner has chosen; the service knows whose it is. */
export function settingsQuery(client: TradingClient, owner: string) {
  return queryOptions({
    queryKey: accountKeys.settings(owner),
    queryFn: ({ signal }) => client.getAccountSettings({ signal }),
  });
}

/** Where the signed-in owner is signed in. */
export function sessionsQuery(client: TradingClient, owner: string) {
  return queryOptions({
    queryKey: accountKeys.sessions(owner),
    queryFn: ({ signal }) => client.listSessions({ signal }),
    refetchInterval: 30_000,
  });
}

/** Positions that are over, with what they made. */
export function closedPositionsQuery(client: TradingClient, address: string) {
  return queryOptions({
    queryKey: accountKeys.closed(address),
    queryFn: ({ signal }) => client.listClosedPositions({ address }, { signal }),
    refetchInterval: 60_000,
  });
}

/** What the account was worth over time, as recorded. */
export function portfolioHistoryQuery(
  client: TradingClient,
  address: string,
  range: PortfolioHistoryRange,
) {
  return queryOptions({
    queryKey: [...accountKeys.detail(address), 'history', range] as const,
    queryFn: ({ signal }) => client.getPortfolioHistory({ address, range }, { signal }),
    refetchInterval: 30_000,
    placeholderData: keepPreviousData,
  });
}

export function portfolioQuery(client: TradingClient, address: string) {
  return queryOptions({
    queryKey: accountKeys.portfolio(address),
    queryFn: ({ signal }) => client.getPortfolio(address, {}, { signal }),
    refetchInterval: 10_000,
  });
}
