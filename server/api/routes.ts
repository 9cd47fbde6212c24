import type { StreamHub } from '../domain/notifications/stream/streamHub.ts';
import type { Authority } from './authorize.ts';
import type { Route } from './route.ts';
import { accountRoutes } from './routes/accounts.ts';
import { activityRoutes } from './routes/activity.ts';
import { authRoutes } from './routes/auth.ts';
import { complianceRoutes } from './routes/compliance.ts';
import { documentRoute, statusRoute } from './routes/documents.ts';
import { exportRoutes } from './routes/exports.ts';
import { keyRoutes } from './routes/keys.ts';
import { marketRoutes } from './routes/markets.ts';
import { nameRoutes } from './routes/names.ts';
import { orderRoutes } from './routes/orders.ts';
import { pushRoutes } from './routes/push.ts';
import { referenceRoutes } from './routes/reference.ts';
import { streamRoute } from './routes/stream.ts';
import { tokenRoutes } from './routes/tokens.ts';
import { webhookRoutes } from './routes/webhooks.ts';

export type RouteParts = { authority: Authority; streams: StreamHub };

/** The one table of routes that both mounts serve and that the OpenAPI document describes. */
export function createRoutes(parts: RouteParts): readonly Route[] {
  const routes: Route[] = [
    ...accountRoutes,
    ...complianceRoutes,
    ...activityRoutes,
    ...marketRoutes,
    ...orderRoutes,
    ...tokenRoutes,
    ...nameRoutes,
    ...authRoutes(parts.authority),
    ...keyRoutes(parts.authority),
    ...webhookRoutes,
    ...pushRoutes,
    ...exportRoutes,
    streamRoute(parts.streams),
    statusRoute,
    documentRoute(() => routes),
    ...referenceRoutes,
  ];
  return routes;
}
