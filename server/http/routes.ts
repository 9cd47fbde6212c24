import type { Authority } from './authorize.ts';
import type { Route } from './route.ts';
import { accountRoutes } from './routes/accounts.ts';
import { authRoutes } from './routes/auth.ts';
import { documentRoute, statusRoute } from './routes/documents.ts';
import { marketRoutes } from './routes/markets.ts';
import { orderRoutes } from './routes/orders.ts';
import { tokenRoutes } from './routes/tokens.ts';

/** The one table of routes that both mounts serve and that the OpenAPI document describes. */
export function createRoutes(authority: Authority): readonly Route[] {
  const routes: Route[] = [
    ...accountRoutes,
    ...marketRoutes,
    ...orderRoutes,
    ...tokenRoutes,
    ...authRoutes(authority),
    statusRoute,
    documentRoute(() => routes),
  ];
  return routes;
}
