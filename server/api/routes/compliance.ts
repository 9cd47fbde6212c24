import {
  acceptTermsSchema,
  personalDataSchema,
  termsStateSchema,
} from '#lib/api/schemas/compliance.ts';
import { exportPersonalData } from '../../domain/compliance/personalData.ts';
import { acceptTerms, readTerms } from '../../domain/compliance/terms.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database/client.ts';
import { ownerOf } from '../middleware/caller.ts';
import { type Route, route } from './route.ts';

type Deps = { database: Database; config: Pick<Config, 'compliance'> };

const OWN = {
  tags: ['Accounts'],
  auth: { apiKey: 'required', token: 'required', scope: 'read' },
} as const;

export const complianceRoutes: Route<Deps>[] = [
  route({
    ...OWN,
    method: 'GET',
    path: '/v1/account/terms',
    operationId: 'getTerms',
    summary: 'Get the current terms and which you accepted',
    description:
      'If there are terms, a wallet must accept them before it buys. Selling, redeeming and ' +
      'withdrawing do not require acceptance.',
    rateClass: 'read',
    response: { schema: termsStateSchema },
    handler: ({ deps, caller }) => readTerms(deps, deps.config.compliance.terms, ownerOf(caller)),
  }),
  route({
    ...OWN,
    method: 'POST',
    path: '/v1/account/terms',
    operationId: 'acceptTerms',
    summary: 'Accept the terms',
    description: 'Accepts the given version for the signed-in wallet.',
    rateClass: 'account',
    body: acceptTermsSchema,
    response: { schema: termsStateSchema },
    handler: ({ deps, caller, body }) =>
      acceptTerms(deps, deps.config.compliance.terms, { owner: ownerOf(caller), ...body }),
  }),
  route({
    ...OWN,
    method: 'GET',
    path: '/v1/account/data',
    operationId: 'exportPersonalData',
    summary: 'Get your personal data',
    description:
      'Account, grants, API keys, sessions, webhooks, notified browsers and accepted terms of the signed-in wallet, ' +
      'without secrets. Orders and movements are at /v1/exports.',
    rateClass: 'export',
    response: { schema: personalDataSchema },
    handler: ({ deps, caller }) => exportPersonalData(deps, ownerOf(caller)),
  }),
];
