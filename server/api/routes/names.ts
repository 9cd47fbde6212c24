import { getAddress } from 'viem';
import {
  addressNameSchema,
  nameParamsSchema,
  nameQuerySchema,
  resolvedNameSchema,
} from '#lib/api/schemas/name.ts';
import type { NameService } from '../../domain/accounts/names/nameService.ts';
import { type Route, route } from './route.ts';

const COMMON = {
  method: 'GET',
  tags: ['Accounts'],
  auth: { apiKey: 'required', token: 'none', scope: 'read' },
  rateClass: 'quote',
} as const;

export const nameRoutes: Route<{ names: NameService }>[] = [
  route({
    ...COMMON,
    path: '/v1/names/{name}',
    operationId: 'resolveName',
    summary: 'Get the address of a name',
    description:
      'Looks up ENS and Basenames. Names are normalised (ENSIP-15); invisible characters and ' +
      'look-alikes are rejected with 400.',
    params: nameParamsSchema,
    response: { schema: resolvedNameSchema },
    handler: ({ deps, params }) => deps.names.resolve(params.name),
  }),
  route({
    ...COMMON,
    path: '/v1/names',
    operationId: 'getNameOfAddress',
    summary: 'Get the name of an address',
    query: nameQuerySchema,
    response: { schema: addressNameSchema },
    handler: async ({ deps, query }) => ({
      address: getAddress(query.address.toLowerCase()),
      name: await deps.names.nameOf(query.address),
    }),
  }),
];
