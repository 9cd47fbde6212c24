import { changeSavedRequestSchema, savedListSchema } from '#lib/api/schemas/saved.ts';
import { changeSaved, readSaved, type SavedDeps } from '../../domain/accounts/saved/savedItems.ts';
import { ownerOf } from '../middleware/caller.ts';
import { type Route, route } from './route.ts';

const COMMON = {
  path: '/v1/account/saved',
  tags: ['Accounts'],
  auth: { apiKey: 'required', token: 'required', scope: 'read' },
  rateClass: 'account',
  available: ({ config }: SavedDeps) => config.savedItemsKeys.length > 0,
  response: { schema: savedListSchema },
} as const;

export const savedRoutes: Route<SavedDeps>[] = [
  route({
    ...COMMON,
    method: 'GET',
    operationId: 'getSaved',
    summary: 'Get what you saved in the browser',
    description:
      'Watchlist, saved views, named and recent addresses, and preferences of the signed-in ' +
      'wallet. Stored encrypted.',
    handler: ({ deps, caller }) => readSaved(deps, ownerOf(caller)),
  }),
  route({
    ...COMMON,
    method: 'PATCH',
    operationId: 'changeSaved',
    summary: 'Change what you saved in the browser',
    description:
      'Changes single items and returns all of them. Of two changes to one item the later counts. ' +
      'Beyond the number that is kept of a kind, the oldest items are dropped. Open streams of ' +
      'the wallet report the change as `saved`.',
    body: changeSavedRequestSchema,
    handler: ({ deps, caller, body }) => changeSaved(deps, ownerOf(caller), body.changes),
  }),
];
