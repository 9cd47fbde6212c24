import {
  activityExportQuerySchema,
  orderExportQuerySchema,
  portfolioExportQuerySchema,
} from '#lib/api/schemas/export.ts';
import type { AccountDeps } from '../../domain/accounts/accounts.ts';
import {
  exportActivityCsv,
  exportOrdersCsv,
  exportPortfolioCsv,
} from '../../domain/exports/exports.ts';
import type { Exchange } from '../../exchange/port.ts';
import { viewerOf } from '../middleware/caller.ts';
import type { ApiContext } from '../middleware/env.ts';
import { type Route, route } from './route.ts';

type Deps = AccountDeps & { exchange: Pick<Exchange, 'name'> };

const COMMON = {
  method: 'GET',
  tags: ['Exports'],
  rateClass: 'export',
  readsReplica: true,
  response: { contentType: 'text/csv' },
} as const;

const MINE = { apiKey: 'required', token: 'optional', scope: 'read' } as const;

/** A file to save. A failure before its first line is an error response. */
async function csvFile(
  c: ApiContext,
  name: string,
  lines: AsyncGenerator<string, void, void>,
): Promise<Response> {
  const first = await lines.next();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (!first.done) controller.enqueue(encoder.encode(first.value));
    },
    async pull(controller) {
      const next = await lines.next();
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    async cancel() {
      await lines.return();
    },
  });
  return c.body(body, 200, {
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}"`,
  });
}

export const exportRoutes: Route<Deps>[] = [
  route({
    ...COMMON,
    path: '/v1/exports/orders.csv',
    operationId: 'exportOrders',
    summary: 'All orders and withdrawals as CSV',
    description:
      'Oldest first, RFC 4180 with a header row. Contains what GET /v1/order returns. Text that a ' +
      'spreadsheet would read as a formula is prefixed with an apostrophe.',
    auth: MINE,
    query: orderExportQuerySchema,
    handler: ({ deps, caller, query, c }) =>
      csvFile(c, 'orders.csv', exportOrdersCsv(deps, { viewer: viewerOf(caller), ...query })),
  }),
  route({
    ...COMMON,
    path: '/v1/exports/activity.csv',
    operationId: 'exportActivity',
    summary: 'Every step of every order and withdrawal as CSV',
    description:
      'Oldest first, each with its steps in order; then the wallet’s merges of pairs, newest first.',
    auth: MINE,
    query: activityExportQuerySchema,
    handler: ({ deps, caller, query, c }) =>
      csvFile(
        c,
        'activity.csv',
        exportActivityCsv(deps, { viewer: viewerOf(caller), type: 'all', ...query }),
      ),
  }),
  route({
    ...COMMON,
    path: '/v1/exports/portfolio.csv',
    operationId: 'exportPortfolio',
    summary: 'The outcome tokens of a wallet as CSV',
    auth: { apiKey: 'optional', token: 'none', scope: 'read' },
    query: portfolioExportQuerySchema,
    handler: ({ deps, query, c }) =>
      csvFile(
        c,
        'portfolio.csv',
        exportPortfolioCsv({ ...deps, exchange: deps.exchange.name }, query),
      ),
  }),
];
