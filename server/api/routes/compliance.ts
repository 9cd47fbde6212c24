import {
  acceptTermsSchema,
  personalDataSchema,
  termsStateSchema,
} from '#lib/api/schemas/compliance.ts';
import { exportPersonalData } from '../../domain/compliance/personalData.ts';
import { acceptTerms, readTerms } from '../../domain/compliance/terms.ts';
import { ownerOf } from '../middleware/caller.ts';
import { type Route, route } from './route.ts';

const OWN = { apiKey: 'required', token: 'required', scope: 'read' } as const;

export const complianceRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v1/account/terms',
    operationId: 'getTerms',
    summary: 'Which terms hold, and which you have accepted',
    description:
      'Where terms hold, a wallet must have accepted them before it buys; selling, redeeming and ' +
      'withdrawing need no terms.',
    tags: ['Accounts'],
    auth: OWN,
    rateClass: 'read',
    response: { schema: termsStateSchema },
    handler: ({ deps, caller }) => readTerms(deps, deps.config.compliance.terms, ownerOf(caller)),
  }),
  route({
    method: 'POST',
    path: '/v1/account/terms',
    operationId: 'acceptTerms',
    summary: 'Accept the terms',
    description: 'Accepts the version that was read, for the signed-in wallet.',
    tags: ['Accounts'],
    auth: OWN,
    rateClass: 'account',
    body: acceptTermsSchema,
    response: { schema: termsStateSchema },
    handler: ({ deps, caller, body }) =>
      acceptTerms(deps, deps.config.compliance.terms, { owner: ownerOf(caller), ...body }),
  }),
  route({
    method: 'GET',
    path: '/v1/account/data',
    operationId: 'exportPersonalData',
    summary: 'Everything that is kept about you',
    description:
      'Account, grants, keys, sessions, webhooks, notified browsers and accepted terms of the signed-in wallet, ' +
      'without secrets. Orders and movements are at /v1/exports.',
    tags: ['Accounts'],
    auth: OWN,
    rateClass: 'export',
    response: { schema: personalDataSchema },
    handler: ({ deps, caller }) => exportPersonalData(deps, ownerOf(caller)),
  }),
];
