'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { isApiProblem } from '#lib/api/problem.ts';

function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 2_000,
        retry: (failures, error) =>
          failures < 2 && isApiProblem(error) && (error.status === 0 || error.status >= 500),
      },
    },
  });
}

let shared: QueryClient | undefined;

/** One cache for the whole page in the browser; on the server one per rendering. */
function queryClient(): QueryClient {
  if (typeof window === 'undefined') return createQueryClient();
  shared ??= createQueryClient();
  return shared;
}

/** Parts of a page that load later each have a provider; all share one cache. */
export function DataProvider({ children }: { children: ReactNode }) {
  const [client] = useState(queryClient);
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
