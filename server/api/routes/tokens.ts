import { z } from 'zod';
import { addressSchema, marketTickerSchema, outcomeSideSchema } from '#lib/api/schemas/common.ts';
import { portfolioQuerySchema, portfolioSchema } from '#lib/api/schemas/portfolio.ts';
import {
  tokenByMarketQuerySchema,
  tokenIdParameterSchema,
  tokenMetadataSchema,
} from '#lib/api/schemas/token.ts';
import type { AccountDeps } from '../../domain/accounts/accounts.ts';
import {
  getToken,
  getTokenByMarket,
  getTokenImage,
  type TokenDeps,
} from '../../domain/markets/tokens/tokens.ts';
import { getPortfolio } from '../../domain/portfolio/portfolio.ts';
import type { Exchange } from '../../exchange/port.ts';
import { ServiceError } from '../../platform/errors.ts';
import { type Route, route } from './route.ts';

type Deps = TokenDeps & AccountDeps & { exchange: Pick<Exchange, 'name'> };

const READ = {
  method: 'GET',
  tags: ['Tokens'],
  auth: { apiKey: 'optional', token: 'none', scope: 'read' },
  rateClass: 'read',
} as const;

const idParams = z.strictObject({ id: tokenIdParameterSchema });

export const tokenRoutes: Route<Deps>[] = [
  route({
    ...READ,
    path: '/v1/tokens/portfolio/{address}',
    operationId: 'getPortfolio',
    summary: 'List the outcome tokens of a wallet',
    description:
      'Amounts are read from the chain. For an owner, the tokens of the smart account are included.',
    params: z.strictObject({ address: addressSchema }),
    query: portfolioQuerySchema,
    response: { schema: portfolioSchema },
    handler: ({ deps, params, query }) =>
      getPortfolio(
        { ...deps, exchange: deps.exchange.name },
        { address: params.address, chainId: query.chainId },
      ),
  }),
  route({
    ...READ,
    path: '/v1/tokens/market/{marketId}/{side}',
    operationId: 'getTokenByMarket',
    summary: 'Get the token of a market and side',
    params: z.strictObject({ marketId: marketTickerSchema, side: outcomeSideSchema }),
    query: tokenByMarketQuerySchema,
    response: { schema: tokenMetadataSchema },
    handler({ deps, params, query }) {
      if (query.exchange !== deps.exchange.name) {
        throw new ServiceError('token_not_found', `Only ${deps.exchange.name} is supported.`);
      }
      return getTokenByMarket(deps, params.marketId, params.side);
    },
  }),
  route({
    ...READ,
    path: '/v1/tokens/{id}',
    operationId: 'getToken',
    summary: 'Get a token by its id',
    description: 'ERC-1155 metadata with a picture. The id is decimal, 0x-hex or 64 hex digits.',
    params: idParams,
    response: { schema: tokenMetadataSchema },
    handler: ({ deps, params }) => getToken(deps, params.id),
  }),
  route({
    method: 'GET',
    path: '/v1/tokens/{id}/image.svg',
    operationId: 'getTokenImage',
    summary: 'Get the picture of a token',
    tags: ['Tokens'],
    auth: { apiKey: 'none', token: 'none' },
    rateClass: 'document',
    params: idParams,
    response: { contentType: 'image/svg+xml' },
    cacheControl: 'public, max-age=3600',
    handler: async ({ deps, params, c }) =>
      c.body(await getTokenImage(deps, params.id), 200, {
        'content-type': 'image/svg+xml; charset=utf-8',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
        'cross-origin-resource-policy': 'cross-origin',
      }),
  }),
];
