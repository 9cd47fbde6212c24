import { activityListSchema, activityQuerySchema } from '#lib/api/schemas/activity.ts';
import {
  closedPositionListSchema,
  closedPositionsQuerySchema,
} from '#lib/api/schemas/portfolio.ts';
import {
  portfolioHistoryQuerySchema,
  portfolioHistorySchema,
} from '#lib/api/schemas/portfolioHistory.ts';
import type { AccountDeps } from '../../domain/accounts/accounts.ts';
import { listActivity } from '../../domain/activity/listActivity.ts';
import { listClosedPositions } from '../../domain/portfolio/closedPositions.ts';
import { getPortfolioHistory } from '../../domain/portfolio/history.ts';
import type { Exchange } from '../../exchange/port.ts';
import { viewerOf } from '../middleware/caller.ts';
import { type Route, route } from './route.ts';

type Deps = AccountDeps & { exchange: Pick<Exchange, 'name'> };

const COMMON = {
  method: 'GET',
  tags: ['Accounts'],
  rateClass: 'read',
  readsReplica: true,
} as const;

export const activityRoutes: Route<Deps>[] = [
  route({
    ...COMMON,
    path: '/v1/activity',
    operationId: 'listActivity',
    summary: 'List account activity',
    description:
      'Deposits, withdrawals, trades, redemptions and transfers of outcome tokens, newest first, ' +
      'each once. On-chain activity is public; orders and withdrawals that are in progress ' +
      'or failed, and order IDs, are visible to the API key that created them and to the owner.',
    auth: { apiKey: 'required', token: 'optional', scope: 'read' },
    query: activityQuerySchema,
    response: { schema: activityListSchema },
    handler: ({ deps, caller, query }) =>
      listActivity(deps, { viewer: viewerOf(caller), ...query }),
  }),
  route({
    ...COMMON,
    path: '/v1/portfolio/history',
    operationId: 'getPortfolioHistory',
    summary: 'Get account value over time',
    description:
      'Computed from recorded data only: USDC and outcome tokens on chain, bids ' +
      'at the exchange, and payouts of settled markets.',
    auth: { apiKey: 'required', token: 'none', scope: 'read' },
    query: portfolioHistoryQuerySchema,
    response: { schema: portfolioHistorySchema },
    handler: ({ deps, query }) => getPortfolioHistory(deps, query),
  }),
  route({
    ...COMMON,
    path: '/v1/portfolio/closed',
    operationId: 'listClosedPositions',
    summary: 'List closed positions',
    description:
      'Positions bought here and since sold or redeemed in full, ' +
      'with their realized P&L. Newest first.',
    auth: { apiKey: 'required', token: 'none', scope: 'read' },
    query: closedPositionsQuerySchema,
    response: { schema: closedPositionListSchema },
    handler: ({ deps, query }) =>
      listClosedPositions({ ...deps, exchange: deps.exchange.name }, query),
  }),
];
