import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { z } from 'zod';
import { statusSchema } from '#lib/api/schemas/status.ts';
import type { Config } from '../../platform/config/config.ts';
import { API_VERSION } from '../../platform/config/version.ts';
import { ServiceError } from '../../platform/errors.ts';
import { ACCESSIBILITY_FIXES, START_SCRIPT, THEME } from '../reference/scripts.ts';
import { readStatus, type StatusDeps } from '../status/status.ts';
import { describeSocket } from './asyncapi.ts';
import { describeApi } from './openapi.ts';
import { type Route, route } from './route.ts';

const OPEN = {
  method: 'GET',
  tags: ['Service'],
  auth: { apiKey: 'none', token: 'none' },
  rateClass: 'document',
} as const;

export const statusRoute: Route<StatusDeps> = route({
  ...OPEN,
  path: '/v1/status',
  operationId: 'getStatus',
  summary: 'Get the service status',
  description: 'Current status of the database, exchange, chain and order processing.',
  response: { schema: statusSchema },
  handler: ({ deps }) => readStatus(deps, API_VERSION),
});

/** The description of the whole table, made when it is first asked for. */
export function documentRoute(
  routes: readonly Route<never>[],
): Route<{ config: { publicBaseUrl: string } }> {
  let document: string | undefined;
  return route({
    ...OPEN,
    path: '/v1/openapi.json',
    operationId: 'getOpenApi',
    summary: 'This description, as OpenAPI 3.1',
    response: { schema: z.looseObject({ openapi: z.string() }) },
    cacheControl: 'public, max-age=60',
    handler({ deps, c }) {
      document ??= JSON.stringify(describeApi(routes, deps.config.publicBaseUrl));
      return c.body(document, 200, { 'content-type': 'application/json; charset=utf-8' });
    },
  });
}

/** The description of `/v1/ws`, made when it is first asked for. */
export function createSocketDocumentRoute(): Route<{ config: { publicBaseUrl: string } }> {
  let document: string | undefined;
  return route({
    ...OPEN,
    path: '/v1/asyncapi.json',
    operationId: 'getAsyncApi',
    summary: 'The description of the WebSocket, as AsyncAPI 3.0',
    response: { schema: z.looseObject({ asyncapi: z.string() }) },
    cacheControl: 'public, max-age=60',
    handler({ deps, c }) {
      document ??= JSON.stringify(describeSocket(deps.config.publicBaseUrl));
      return c.body(document, 200, { 'content-type': 'application/json; charset=utf-8' });
    },
  });
}

/**
 * The reference page: Swagger UI over our own description, from our own server. Nothing is loaded
 * from elsewhere, and nothing of it is loaded on any other page.
 */

const requireHere = createRequire(import.meta.url);
const { version } = requireHere('swagger-ui-dist/package.json') as { version: string };

/** Requests that are tried out go to the public address, under whichever the page was opened. */
const contentSecurityPolicy = (publicBaseUrl: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self' ${publicBaseUrl}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The page has a frame of its own; these lead back to the others. */
const NAV_LINKS = [
  { href: '/', label: 'Crossbook' },
  { href: '/developers', label: 'Overview' },
  { href: '/developers/keys', label: 'API keys' },
  { href: '/developers/webhooks', label: 'Webhooks' },
  { href: '/v1/reference', label: 'Reference' },
  { href: '/v1/asyncapi.json', label: 'WebSocket' },
  { href: '/docs/errors', label: 'Errors' },
];

const OWN_STYLE = new URL('../reference/reference.css', import.meta.url);
const TOKENS = new URL('../../../app/tokens.css', import.meta.url);

/** The library's style in a lower layer, so that ours overrides it regardless of specificity. */
async function readStyle(): Promise<Buffer> {
  const [library, tokens, own] = await Promise.all([
    readFile(requireHere.resolve('swagger-ui-dist/swagger-ui.css'), 'utf8'),
    readFile(TOKENS, 'utf8'),
    readFile(OWN_STYLE, 'utf8'),
  ]);
  // What Tailwind makes of the tokens is of no use here.
  const [colours = ''] = tokens.split('@theme');
  return Buffer.from(`@layer library {\n${library}\n}\n${colours}\n${own}`);
}

const readPackaged = (path: string) => () => readFile(requireHere.resolve(path));
const SCRIPT = 'text/javascript; charset=utf-8';

const ASSETS: Record<string, { type: string; read: () => Promise<Buffer> }> = {
  [`swagger-ui-${version}.js`]: {
    type: SCRIPT,
    read: readPackaged('swagger-ui-dist/swagger-ui-bundle.js'),
  },
  'reference.js': {
    type: SCRIPT,
    read: async () => Buffer.from(`${ACCESSIBILITY_FIXES}${START_SCRIPT}`),
  },
  'theme.js': { type: SCRIPT, read: async () => Buffer.from(THEME) },
  'reference.css': { type: 'text/css; charset=utf-8', read: readStyle },
  'geist.woff2': {
    type: 'font/woff2',
    read: readPackaged('@fontsource-variable/geist/files/geist-latin-wght-normal.woff2'),
  },
  'geist-mono.woff2': {
    type: 'font/woff2',
    read: readPackaged('@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2'),
  },
};

const compressed = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** An asset compressed once; every browser takes gzip. */
function compressedAsset(
  name: string,
  read: () => Promise<Buffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const known = compressed.get(name);
  if (known) return known;
  const made = read().then((content) => promisify(gzip)(content));
  compressed.set(name, made);
  made.catch(() => compressed.delete(name));
  return made;
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function navigation(): string {
  const links = NAV_LINKS.map(({ href, label }) => {
    const current = href === '/v1/reference' ? ' aria-current="page"' : '';
    return `<a href="${href}"${current}>${label}</a>`;
  });
  return `<nav class="places" aria-label="Developers">${links.join('')}</nav>`;
}

function pageOf(publishableKey: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reference · Crossbook</title>
<link rel="icon" href="/icon.svg">
<script src="/v1/reference/theme.js"></script>
<link rel="stylesheet" href="/v1/reference/reference.css">
</head>
<body data-key="${escapeHtml(publishableKey)}">
${navigation()}
<div id="reference"></div>
<noscript>The OpenAPI document is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</noscript>
<script src="/v1/reference/swagger-ui-${version}.js"></script>
<script src="/v1/reference/reference.js"></script>
</body>
</html>
`;
}

export const referenceRoutes: Route<{ config: Pick<Config, 'auth' | 'publicBaseUrl'> }>[] = [
  route({
    ...OPEN,
    path: '/v1/reference',
    operationId: 'getReference',
    summary: 'Interactive API reference',
    response: { contentType: 'text/html' },
    cacheControl: 'no-cache',
    handler: ({ deps, c }) =>
      c.body(pageOf(deps.config.auth.publishableKey), 200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': contentSecurityPolicy(deps.config.publicBaseUrl),
      }),
  }),
  route({
    ...OPEN,
    path: '/v1/reference/{asset}',
    operationId: 'getReferenceAsset',
    summary: 'Scripts and styles of the reference page',
    params: z.strictObject({ asset: z.string().max(64) }),
    response: { contentType: '*/*' },
    cacheControl: 'public, max-age=3600',
    async handler({ params, c }) {
      const asset = Object.hasOwn(ASSETS, params.asset) ? ASSETS[params.asset] : undefined;
      if (!asset) throw new ServiceError('not_found', 'This path does not exist.');
      const content = await compressedAsset(params.asset, asset.read);
      return c.body(content, 200, {
        'content-type': asset.type,
        'content-encoding': 'gzip',
        'content-length': String(content.length),
      });
    },
  }),
];
