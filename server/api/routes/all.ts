import type { StreamHub } from '../../domain/notifications/stream/streamHub.ts';
import type { Authority } from '../middleware/authenticate.ts';
import { accountRoutes, complianceRoutes, nameRoutes } from './accounts.ts';
import { activityRoutes } from './activity.ts';
import { authRoutes } from './auth.ts';
import { browserSessionRoutes } from './browserSessions.ts';
import {
  createSocketDocumentRoute,
  documentRoute,
  referenceRoutes,
  statusRoute,
} from './documents.ts';
import { exportRoutes } from './exports.ts';
import { keyRoutes } from './keys.ts';
import { marketRoutes } from './markets.ts';
import { orderRoutes } from './orders.ts';
import { passkeyRoutes } from './passkeys.ts';
import { priceAlertRoutes } from './priceAlerts.ts';
import { pushRoutes } from './push.ts';
import { relayRoutes } from './relay.ts';
import type { Route } from './route.ts';
import { savedRoutes } from './saved.ts';
import { socketRoute, streamRoute } from './stream.ts';
import { tokenRoutes } from './tokens.ts';
import { webhookRoutes } from './webhooks.ts';

export type RouteParts = { authority: Authority; streams: StreamHub };

/** The one table of routes that both mounts serve and that the OpenAPI document describes. */
export function createRoutes(parts: RouteParts) {
  const described: Route<never>[] = [];
  const routes = [
    ...accountRoutes,
    ...complianceRoutes,
    ...savedRoutes,
    ...activityRoutes,
    ...marketRoutes,
    ...orderRoutes,
    ...tokenRoutes,
    ...passkeyRoutes,
    ...relayRoutes,
    ...nameRoutes,
    ...authRoutes(parts.authority),
    ...browserSessionRoutes(parts.authority),
    ...keyRoutes(parts.authority),
    ...webhookRoutes,
    ...pushRoutes,
    ...priceAlertRoutes,
    ...exportRoutes,
    streamRoute(parts.streams),
    socketRoute(parts.streams),
    statusRoute,
    documentRoute(described),
    createSocketDocumentRoute(),
    ...referenceRoutes,
  ];
  described.push(...routes);
  return routes;
}
