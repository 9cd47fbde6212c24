import { activityListSchema, activityQuerySchema } from '#lib/api/schemas/activity.ts';
import { listActivity } from '../../activity/listActivity.ts';
import { viewerOf } from '../caller.ts';
import { type Route, route } from '../route.ts';

export const activityRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v1/activity',
    operationId: 'listActivity',
    summary: 'List what happened to an account',
    description:
      'Deposits, withdrawals, trades, redemptions and transfers of outcome tokens, newest first, ' +
      'each once. Everybody sees what is on the chain; orders and withdrawals that are under way ' +
      'or failed, and the ids of orders, are shown to the key that made them and to the owner.',
    tags: ['Accounts'],
    auth: { apiKey: 'required', token: 'optional', scope: 'read' },
    rateClass: 'read',
    query: activityQuerySchema,
    response: { schema: activityListSchema },
    handler: ({ deps, caller, query }) =>
      listActivity(deps, { viewer: viewerOf(caller), ...query }),
  }),
];
