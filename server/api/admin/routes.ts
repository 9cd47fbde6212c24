import type { Route } from '../routes/route.ts';
import { adminActionRoutes } from './actRoutes.ts';
import { adminReadRoutes } from './readRoutes.ts';

/** What operators may see and do; no part of the published interface. */
export const adminRoutes: readonly Route[] = [...adminReadRoutes, ...adminActionRoutes];
