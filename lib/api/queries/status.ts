import { queryOptions } from '@tanstack/react-query';
import type { CrossbookClient } from '../client.ts';

/** How the parts of the service are. */
export function statusQuery(client: CrossbookClient) {
  return queryOptions({
    queryKey: ['status'] as const,
    queryFn: ({ signal }) => client.getStatus({ signal }),
    refetchInterval: 5_000,
  });
}
