import type { Authority } from './authorize.ts';
import type { Route } from './route.ts';
import { accountRoutes } from './routes/accounts.ts';
import { authRoutes } from './routes/auth.ts';
import { documentRoute, statusRoute } from './routes/documents.ts';
import { orderRoutes } from './routes/orders.ts';

/** The one table of routes that both mounts serve and that the OpenAPI document describes. */
export function createRoutes(authority: Authority): readonly Route[] {
  const routes: Route[] = [
    ...accountRoutes,
    ...orderRoutes,
    ...authRoutes(authority),
    statusRoute,
    documentRoute(() => routes),
  ];
  return routes;
}
