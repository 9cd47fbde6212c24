import { activityListSchema, activityQuerySchema } from '#lib/api/schemas/activity.ts';
import {
  closedPositionListSchema,
  closedPositionsQuerySchema,
} from '#lib/api/schemas/portfolio.ts';
import {
  portfolioHistoryQuerySchema,
  portfolioHistorySchema,
} from '#lib/api/schemas/portfolioHistory.ts';
import { listActivity } from '../../domain/activity/listActivity.ts';
import { listClosedPositions } from '../../domain/portfolio/closedPositions.ts';
import { getPortfolioHistory } from '../../domain/portfolio/history.ts';
import { viewerOf } from '../middleware/caller.ts';
import { type Route, route } from './route.ts';

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
  route({
    method: 'GET',
    path: '/v1/portfolio/history',
    operationId: 'getPortfolioHistory',
    summary: 'Get what an account was worth over time',
    description:
      'From recorded facts alone: the USDC and the outcome tokens that the chain shows, the bids ' +
      'that the exchange showed, the payouts of settled markets.',
    tags: ['Accounts'],
    auth: { apiKey: 'required', token: 'none', scope: 'read' },
    rateClass: 'read',
    query: portfolioHistoryQuerySchema,
    response: { schema: portfolioHistorySchema },
    handler: ({ deps, query }) => getPortfolioHistory(deps, query),
  }),
  route({
    method: 'GET',
    path: '/v1/portfolio/closed',
    operationId: 'listClosedPositions',
    summary: 'List positions that are over',
    description:
      'Outcome tokens that were bought here and have been sold or redeemed since, all of them, ' +
      'with what they brought over what they cost. Newest first.',
    tags: ['Accounts'],
    auth: { apiKey: 'required', token: 'none', scope: 'read' },
    rateClass: 'read',
    query: closedPositionsQuerySchema,
    response: { schema: closedPositionListSchema },
    handler: ({ deps, query }) =>
      listClosedPositions({ ...deps, exchange: deps.exchange.name }, query),
  }),
];
