import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { CrossbookClient } from '#lib/api/client.ts';
import type { PortfolioHistoryRange } from '#lib/api/schemas/portfolioHistory.ts';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import { storeAccount } from '../account/rememberedAccount.ts';

export const accountKeys = {
  all: ['account'] as const,
  detail: (address: string) => ['account', address.toLowerCase()] as const,
  settings: (owner: string) => ['account', owner.toLowerCase(), 'settings'] as const,
  terms: (owner: string) => ['account', owner.toLowerCase(), 'terms'] as const,
  sessions: (owner: string) => ['account', owner.toLowerCase(), 'sessions'] as const,
  devices: (owner: string) => ['account', owner.toLowerCase(), 'devices'] as const,
  owners: (wallet: string) => ['account', wallet.toLowerCase(), 'owners'] as const,
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

/** The address of a name, as the service resolves it. */
export function nameQuery(client: TradingClient, name: string) {
  return queryOptions({
    queryKey: ['names', name.toLowerCase()] as const,
    queryFn: ({ signal }) => client.resolveName(name.toLowerCase(), { signal }),
    staleTime: 60_000,
    retry: false,
  });
}

/** The current terms, and the version that the signed-in wallet has accepted. */
export function termsQuery(client: TradingClient, owner: string) {
  return queryOptions({
    queryKey: accountKeys.terms(owner),
    queryFn: ({ signal }) => client.getTerms({ signal }),
  });
}

/** Settings of the signed-in owner, whom the service knows from the token. */
export function settingsQuery(client: TradingClient, owner: string) {
  return queryOptions({
    queryKey: accountKeys.settings(owner),
    queryFn: ({ signal }) => client.getAccountSettings({ signal }),
  });
}

/** The owners of a passkey's wallet. */
export function ownersQuery(client: TradingClient, wallet: string) {
  return queryOptions({
    queryKey: accountKeys.owners(wallet),
    queryFn: ({ signal }) => client.getWalletOwners(wallet, { signal }),
    retry: false,
  });
}

/** The sessions of the signed-in owner. */
export function sessionsQuery(client: Pick<CrossbookClient, 'listSessions'>, owner: string) {
  return queryOptions({
    queryKey: accountKeys.sessions(owner),
    queryFn: ({ signal }) => client.listSessions({ signal }),
    refetchInterval: 30_000,
  });
}

/** The session keys of the signed-in owner's permission. */
export function devicesQuery(client: Pick<CrossbookClient, 'listSessionKeys'>, owner: string) {
  return queryOptions({
    queryKey: accountKeys.devices(owner),
    queryFn: ({ signal }) => client.listSessionKeys({ signal }),
    refetchInterval: 30_000,
  });
}

/** Closed positions with their profit. */
export function closedPositionsQuery(client: TradingClient, address: string) {
  return queryOptions({
    queryKey: accountKeys.closed(address),
    queryFn: ({ signal }) => client.listClosedPositions({ address }, { signal }),
    refetchInterval: 60_000,
  });
}

/** The recorded value of the account over time. */
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
