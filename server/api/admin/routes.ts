import type { Route } from '../route.ts';
import { operatorActRoutes } from './actRoutes.ts';
import { operatorReadRoutes } from './readRoutes.ts';

/** What operators may see and do; no part of the published interface. */
export const operatorRoutes: readonly Route[] = [...operatorReadRoutes, ...operatorActRoutes];
