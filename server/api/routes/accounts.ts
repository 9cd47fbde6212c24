import type { Hex } from 'viem';
import { formatUnits, getAddress } from 'viem';
import * as shapes from '#lib/api/schemas/account.ts';
import {
  addressNameSchema,
  nameParamsSchema,
  nameQuerySchema,
  resolvedNameSchema,
} from '#lib/api/schemas/name.ts';
import {
  nameSessionKeyRequestSchema,
  sessionKeyListSchema,
  sessionKeyParamsSchema,
  sessionKeyRecordSchema,
} from '#lib/api/schemas/sessionKey.ts';
import { formatMicros } from '#lib/money.ts';
import {
  FAUCET_NATIVE_WEI,
  FAUCET_USDC_MICROS,
  type FaucetDeps,
  giveTestFunds,
} from '../../domain/accounts/faucet.ts';
import type { NameService } from '../../domain/accounts/names/nameService.ts';
import { listSessionKeys, nameSessionKey } from '../../domain/accounts/sessionKeyList.ts';
import { readSettings, writeSettings } from '../../domain/accounts/settings.ts';
import { prepareGrant, recordGrant } from '../../domain/accounts/signGrant.ts';
import { exportPersonalData } from '../../domain/compliance/personalData.ts';
import { acceptTerms, readTerms } from '../../domain/compliance/terms.ts';
import { describeGrant, getAccountOverview } from '../../domain/portfolio/accountOverview.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database/client.ts';
import { ownerOf } from '../middleware/caller.ts';
import { type Route, route } from './route.ts';

const READ = {
  method: 'GET',
  tags: ['Accounts'],
  auth: { apiKey: 'required', token: 'none', scope: 'read' },
  rateClass: 'read',
} as const;

const OWN = {
  tags: ['Accounts'],
  auth: { apiKey: 'required', token: 'required', scope: 'read' },
} as const;

export const accountRoutes: Route<FaucetDeps>[] = [
  route({
    ...READ,
    path: '/v1/account',
    operationId: 'getAccount',
    summary: 'Get the account of a wallet',
    description:
      'Returns the smart account of a wallet, which has an address before it is deployed, with ' +
      'its balances and the grant the owner has given.',
    query: shapes.accountQuerySchema,
    response: { schema: shapes.accountSchema },
    handler: ({ deps, query }) => getAccountOverview(deps, query.address),
  }),
  route({
    ...OWN,
    method: 'GET',
    path: '/v1/account/settings',
    operationId: 'getAccountSettings',
    summary: 'Get the settings of your account',
    description: 'Returns the settings of the signed-in wallet’s smart account.',
    rateClass: 'read',
    response: { schema: shapes.accountSettingsSchema },
    handler: ({ deps, caller }) => readSettings(deps, ownerOf(caller)),
  }),
  route({
    method: 'PUT',
    path: '/v1/account/settings',
    operationId: 'putAccountSettings',
    summary: 'Change the settings of your account',
    description:
      'Replaces the settings of the signed-in wallet’s smart account. With `autoRedeem`, tokens ' +
      'of markets whose payout opens from now on are redeemed automatically; this is the default ' +
      'of new accounts.',
    tags: ['Accounts'],
    auth: { apiKey: 'required', token: 'required', scope: 'trade' },
    rateClass: 'trade',
    body: shapes.accountSettingsSchema,
    response: { schema: shapes.accountSettingsSchema },
    handler: ({ deps, caller, body }) => writeSettings(deps, ownerOf(caller), body),
  }),
  route({
    ...READ,
    path: '/v1/account/grant',
    operationId: 'getGrantToSign',
    summary: 'Get the grant to sign',
    description:
      'Returns EIP-712 data for the owner to sign. It allows the service to trade for the smart ' +
      'account within the given limits until the given time.',
    query: shapes.grantQuerySchema,
    response: { schema: shapes.grantTypedDataSchema },
    handler: ({ deps, query }) => prepareGrant(deps, query),
  }),
  route({
    method: 'POST',
    path: '/v1/account/grant',
    operationId: 'recordGrant',
    summary: 'Record a signed grant',
    description:
      'Accepts the `message` of the typed data and the owner’s signature over it. The signature is ' +
      'the authority, so no bearer token is needed. The grant reaches the chain with the first ' +
      'order that needs it.',
    tags: ['Accounts'],
    auth: { apiKey: 'required', token: 'optional', scope: 'trade' },
    rateClass: 'trade',
    body: shapes.recordGrantRequestSchema,
    response: { schema: shapes.grantRecordedSchema },
    async handler({ deps, body, caller }) {
      const recorded = await recordGrant(deps, {
        address: body.address ?? caller.owner,
        message: body.grant,
        signature: body.signature as Hex,
      });
      return {
        success: true,
        account: recorded.account,
        grant: describeGrant(recorded.grant, false),
      };
    },
  }),
  route({
    ...OWN,
    method: 'GET',
    path: '/v1/account/session-keys',
    operationId: 'listSessionKeys',
    summary: 'List the session keys of your account',
    description:
      'Returns the keys that sign orders under the current grant of the signed-in wallet’s account, ' +
      'oldest first: the one that the grant named and those that the owner added on chain, with ' +
      'those that were removed since.',
    rateClass: 'read',
    response: { schema: sessionKeyListSchema },
    handler: async ({ deps, caller }) => ({ keys: await listSessionKeys(deps, ownerOf(caller)) }),
  }),
  route({
    method: 'PUT',
    path: '/v1/account/session-keys/{key}',
    operationId: 'nameSessionKey',
    summary: 'Name a session key of your account',
    description:
      'Stores a name for a key of the list, such as that of the device. The name is for you alone: ' +
      'adding and removing keys needs the owner’s signature on chain (POST /v1/relay).',
    tags: ['Accounts'],
    auth: { apiKey: 'required', token: 'required', scope: 'trade' },
    rateClass: 'trade',
    params: sessionKeyParamsSchema,
    body: nameSessionKeyRequestSchema,
    response: { schema: sessionKeyRecordSchema },
    handler: ({ deps, caller, params, body }) =>
      nameSessionKey(deps, ownerOf(caller), { key: params.key, name: body.name }),
  }),
  route({
    method: 'POST',
    path: '/v1/sandbox/faucet',
    operationId: 'requestTestFunds',
    summary: 'Get test funds (sandbox only)',
    description:
      'Sends test USDC to the smart account of the owner and test ether to the owner. Available ' +
      'in the sandbox only.',
    tags: ['Sandbox'],
    auth: { apiKey: 'required', token: 'none', scope: 'trade' },
    rateClass: 'faucet',
    available: ({ config }) => config.chain.sandbox && config.chain.faucetKey !== undefined,
    body: shapes.faucetRequestSchema,
    response: { schema: shapes.faucetResponseSchema },
    async handler({ deps, body }) {
      const { account, transactionHash } = await giveTestFunds(deps, body.address);
      return {
        success: true,
        smartAccountAddress: account,
        usdc: formatMicros(FAUCET_USDC_MICROS),
        native: formatUnits(FAUCET_NATIVE_WEI, 18),
        transactionHash,
      };
    },
  }),
];

export const nameRoutes: Route<{ names: NameService }>[] = [
  route({
    ...READ,
    rateClass: 'quote',
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
    ...READ,
    rateClass: 'quote',
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

type ComplianceDeps = {
  database: Database;
  config: Pick<Config, 'compliance' | 'savedItemsKeys'>;
};

export const complianceRoutes: Route<ComplianceDeps>[] = [
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
    response: { schema: shapes.termsStateSchema },
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
    body: shapes.acceptTermsSchema,
    response: { schema: shapes.termsStateSchema },
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
      'Account, grants, API keys, sessions, webhooks, notified browsers, what was saved in ' +
      'browsers and accepted terms of the signed-in wallet, without secrets. Orders and movements ' +
      'are at /v1/exports.',
    rateClass: 'export',
    response: { schema: shapes.personalDataSchema },
    handler: ({ deps, caller }) => exportPersonalData(deps, ownerOf(caller)),
  }),
];
