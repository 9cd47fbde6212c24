import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, use } from 'react';

export const AdminRole = createContext<'watch' | 'act'>('watch');

export function useMayAct(): boolean {
  return use(AdminRole) === 'act';
}

const EVERY_MS = 5_000;

export function useAdminQuery<Reply>(
  key: readonly string[],
  read: () => Promise<Reply>,
): UseQueryResult<Reply> {
  return useQuery({ queryKey: ['operator', ...key], queryFn: read, refetchInterval: EVERY_MS });
}

export function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['operator'] });
}
