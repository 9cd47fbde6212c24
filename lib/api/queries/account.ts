import { queryOptions } from '@tanstack/react-query';
import type { CrossbookClient } from '../client.ts';

export const accountKeys = {
  all: ['account'] as const,
  detail: (address: string) => ['account', address.toLowerCase()] as const,
  portfolio: (address: string) => ['account', address.toLowerCase(), 'portfolio'] as const,
};

export function accountQuery(client: CrossbookClient, address: string) {
  return queryOptions({
    queryKey: accountKeys.detail(address),
    queryFn: ({ signal }) => client.getAccount(address, { signal }),
    refetchInterval: 10_000,
  });
}

export function portfolioQuery(client: CrossbookClient, address: string) {
  return queryOptions({
    queryKey: accountKeys.portfolio(address),
    queryFn: ({ signal }) => client.getPortfolio(address, {}, { signal }),
    refetchInterval: 10_000,
  });
}
