import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { PICTURES_PATH, pictureAt } from '../catalogue/pictures.ts';
import { type FaultKind, takeFault } from '../faults.ts';
import type { Account } from '../ledger.ts';
import { drawFault, drawsFlatError } from '../misbehaviour.ts';
import { Refusal } from '../order.ts';
import type { Exchange } from '../state.ts';
import { apiKeyRoutes } from './apiKeyRoutes.ts';
import { authenticate } from './auth.ts';
import { controlResponse } from './control.ts';
import { eventRoutes } from './eventRoutes.ts';
import { exchangeRoutes, statusWire } from './exchangeRoutes.ts';
import { historicalRoutes } from './historicalRoutes.ts';
import { liveDataRoutes } from './liveDataRoutes.ts';
import { marketRoutes } from './marketRoutes.ts';
import { orderGroupRoutes } from './orderGroupRoutes.ts';
import { orderRoutes } from './orderRoutes.ts';
import { portfolioRoutes } from './portfolioRoutes.ts';
import { queueRoutes } from './queueRoutes.ts';
import { spendTokens } from './rateLimit.ts';
import type { Reply, Route } from './route.ts';
import { shardRoutes, TRANSFER_PATH } from './shardRoutes.ts';
import { subaccountRoutes } from './subaccountRoutes.ts';

export const BASE_PATH = '/trade-api/v2';
const MOST_BODY_BYTES = 1_000_000;

/** Fixed paths before those with wildcards, so that /events/multivariate is not an event. */
const ROUTES: { route: Route; segments: string[] }[] = [
  ...marketRoutes,
  ...eventRoutes,
  ...liveDataRoutes,
  ...exchangeRoutes,
  ...orderRoutes,
  ...portfolioRoutes,
  ...queueRoutes,
  ...orderGroupRoutes,
  ...subaccountRoutes,
  ...shardRoutes,
  ...apiKeyRoutes,
  ...historicalRoutes,
]
  .map((route) => ({ route, segments: route.path.split('/').slice(1) }))
  .sort((a, b) => wildcards(a.segments) - wildcards(b.segments));

function wildcards(segments: string[]): number {
  return segments.filter((segment) => segment === '*').length;
}

function findRoute(method: string, path: string): { route: Route; params: string[] } | undefined {
  const given = path.split('/').slice(1);
  for (const { route, segments } of ROUTES) {
    if (route.method !== method || segments.length !== given.length) continue;
    if (!segments.every((segment, index) => segment === '*' || segment === given[index])) continue;
    const params = given.filter((_, index) => segments[index] === '*').map(decodeURIComponent);
    return { route, params };
  }
  return undefined;
}

/** The exchange's HTTP side. */
export function createHttpServer(exchange: Exchange): Server {
  const server = createServer((request, response) => {
    reply(exchange, request, response).catch((error: unknown) => {
      if (!response.headersSent && !response.destroyed) sendError(exchange, response, error);
    });
  });
  server.keepAliveTimeout = 30_000;
  return server;
}

/** Where orders are placed and changed, one or several. */
const ORDER_PATH = '/portfolio/events/orders';

async function reply(
  exchange: Exchange,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://exchange');
  const method = request.method ?? 'GET';
  const body = await readBody(request);
  if (url.pathname.startsWith('/_control/')) {
    send(response, await controlResponse(exchange, method, url, body));
    return;
  }
  if (url.pathname.startsWith(PICTURES_PATH)) {
    sendPicture(response, pictureAt(exchange.world.templates, url.pathname));
    return;
  }
  const path = url.pathname.startsWith(BASE_PATH) ? url.pathname.slice(BASE_PATH.length) : '';
  const found = findRoute(method, path);
  const { faults } = exchange;
  // A wrong clock affects every response.
  if (faults.clockSkewMs !== 0) {
    response.setHeader('date', new Date(Date.now() + faults.clockSkewMs).toUTCString());
  }
  const drawn = drawFault(exchange, method, path);
  const happens = (kind: FaultKind) => drawn === kind || takeFault(faults, kind, path);
  if (faults.latencyMs > 0) await delay(faults.latencyMs);
  if (happens('drop_before')) return void request.socket.destroy();
  if (happens('html_answer')) {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>');
    return;
  }
  if (happens('read_5xx')) return unavailable(exchange, response);
  if (happens('rate_limit')) throw new Refusal(429, 'too many requests', 'too many requests');
  if (!found) throw new Refusal(404, 'not_found', 'no such endpoint');
  const isOrder = found.route.write === true && path.startsWith(ORDER_PATH);
  const account = admit(exchange, request, method, url.pathname, found.route);
  const faultsOf =
    method === 'POST' && path === TRANSFER_PATH ? 'transfer' : isOrder ? 'order' : undefined;
  if (faultsOf && happens(`${faultsOf}_5xx_before`)) return unavailable(exchange, response);
  if (isOrder && happens('order_paused')) {
    throw new Refusal(409, 'trading_is_paused', 'Trading is paused');
  }
  const result = await found.route.handle({
    exchange,
    now: exchange.clock.now(),
    params: found.params,
    query: url.searchParams,
    body: parseJson(body),
    account,
    origin: `http://${request.headers.host}`,
    happens,
  });
  await exchange.store.durable();
  if (faultsOf && happens(`${faultsOf}_accept_then_timeout`)) return;
  if (faultsOf && happens(`${faultsOf}_5xx_after`)) {
    throw new Refusal(500, 'internal_error', 'internal error');
  }
  if (happens('drop_after')) return void request.socket.destroy();
  send(response, result);
}

function admit(
  exchange: Exchange,
  request: IncomingMessage,
  method: string,
  signedPath: string,
  route: Route,
): Account {
  const isSigned = request.headers['kalshi-access-key'] !== undefined;
  if (!route.keyed && !isSigned) return NO_ONE;
  const { account, scopes } = authenticate(exchange, request.headers, method, signedPath);
  if (route.write && !scopes.includes('write')) {
    throw new Refusal(403, 'forbidden', 'the key may not write');
  }
  const { limits } = exchange;
  spendTokens(limits, account, route.write ? 'write' : 'read', route.tokens ?? limits.usualCost);
  return account;
}

/** The caller of a public route. */
const NO_ONE: Account = {
  id: '',
  purses: new Map(),
  positions: new Map(),
};

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const part = chunk as Buffer;
    size += part.length;
    if (size > MOST_BODY_BYTES)
      throw new Refusal(413, 'invalid_parameters', 'the body is too large');
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString();
}

function parseJson(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, 'invalid_parameters', 'the body is not valid JSON');
  }
}

function send(response: ServerResponse, { status, body, text }: Reply): void {
  if (body === undefined && text === undefined) {
    response.writeHead(status).end();
    return;
  }
  const bytes = Buffer.from(text ?? JSON.stringify(body));
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': bytes.length,
  });
  response.end(bytes);
}

function sendPicture(response: ServerResponse, svg: string | undefined): void {
  if (svg === undefined) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(svg);
}

/** The real exchange responds 503 with its status as the body. */
function unavailable(exchange: Exchange, response: ServerResponse): void {
  send(response, { status: 503, body: statusWire(exchange) });
}

function sendError(exchange: Exchange, response: ServerResponse, error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'Refusal') {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    send(response, {
      status: 500,
      body: { error: { code: 'internal_error', message: 'internal error' } },
    });
    return;
  }
  const { status, code, message } = error as Refusal;
  if (status === 429) {
    send(response, { status, body: { error: 'too many requests' } });
    return;
  }
  const flat = drawsFlatError(exchange) || takeFault(exchange.faults, 'flat_errors');
  const details = { code, message, details: '' };
  send(response, { status, body: flat ? details : { error: details } });
}
