import { z } from 'zod';
import * as shapes from '#lib/api/schemas/priceAlert.ts';
import {
  createPriceAlert,
  deletePriceAlert,
  listPriceAlerts,
} from '../../domain/notifications/priceAlerts/priceAlerts.ts';
import type { Database } from '../../platform/database/client.ts';
import { keyIdOf, ownerOf } from '../middleware/caller.ts';
import { type Route, route } from './route.ts';

const COMMON = {
  tags: ['Notifications'],
  auth: { apiKey: 'required', token: 'required', scope: 'read' },
  rateClass: 'account',
} as const;

export const priceAlertRoutes: Route<{ database: Database }>[] = [
  route({
    ...COMMON,
    method: 'GET',
    path: '/v1/price-alerts',
    operationId: 'listPriceAlerts',
    summary: 'List price alerts',
    description: 'Those of the signed-in wallet, on whichever device they were set.',
    response: { schema: shapes.priceAlertListSchema },
    handler: async ({ deps, caller }) => ({
      priceAlerts: await listPriceAlerts(deps, ownerOf(caller)),
    }),
  }),
  route({
    ...COMMON,
    method: 'POST',
    path: '/v1/price-alerts',
    operationId: 'createPriceAlert',
    summary: 'Set a price alert',
    description:
      'Sends one notification when the watched price is at or beyond the price: to browsers of ' +
      'the signed-in wallet, and as `price_alert.triggered` to webhooks of the wallet and of the ' +
      `API key. Then it has ended. At most ${shapes.MOST_PRICE_ALERTS} wait at once. An equal ` +
      'alert that waits is returned in place of a second one, with the new `expiresAt`.',
    status: 201,
    body: shapes.createPriceAlertRequestSchema,
    response: { schema: shapes.priceAlertCreatedSchema },
    handler: async ({ deps, caller, body }) => ({
      priceAlert: await createPriceAlert(deps, {
        owner: ownerOf(caller),
        apiKeyId: keyIdOf(caller),
        request: body,
      }),
    }),
  }),
  route({
    ...COMMON,
    method: 'DELETE',
    path: '/v1/price-alerts/{id}',
    operationId: 'deletePriceAlert',
    summary: 'Delete a price alert',
    params: z.strictObject({ id: shapes.priceAlertIdSchema }),
    response: { schema: shapes.priceAlertDeletedSchema },
    handler: async ({ deps, caller, params: { id } }) => {
      await deletePriceAlert(deps, { owner: ownerOf(caller), id });
      return { success: true, id };
    },
  }),
];
