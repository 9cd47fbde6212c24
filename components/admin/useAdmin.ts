'use client';

import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, use } from 'react';

/** The admin's rights. */
export const AdminRole = createContext<'watch' | 'act'>('watch');

export function useMayAct(): boolean {
  return use(AdminRole) === 'act';
}

const EVERY_MS = 5_000;

/** Polls a part of the admin interface while it is on screen. */
export function useAdminQuery<Reply>(
  key: readonly string[],
  read: () => Promise<Reply>,
): UseQueryResult<Reply> {
  return useQuery({ queryKey: ['operator', ...key], queryFn: read, refetchInterval: EVERY_MS });
}

/** Refetches everything after an action. */
export function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['operator'] });
}
