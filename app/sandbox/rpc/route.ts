import { getRuntime } from '#server/api/webRuntime.ts';
import type { Config } from '#server/platform/config/config.ts';

/**
 * The sandbox chain's JSON-RPC on our own origin, for the demo wallets. It exists only in the
 * sandbox and forwards only what a wallet needs: the chain's administration stays out of a page's
 * reach.
 */
export const dynamic = 'force-dynamic';

/** The calls of the demo wallets and wagmi, and of a wallet that adds a network. */
const ALLOWED = new Set([
  'eth_blockNumber',
  'eth_call',
  'eth_chainId',
  'eth_estimateGas',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getCode',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'eth_maxPriorityFeePerGas',
  'eth_sendRawTransaction',
  'net_version',
]);
const MAX_BODY_BYTES = 512_000;
const MAX_CALLS = 100;
/** Browser wallets call with their own origin, which no site can forge. */
const WALLET_ORIGIN = /^(chrome|moz|safari-web)-extension:\/\//;

type RpcCall = { id?: unknown; method?: unknown };

function refusal(call: RpcCall, code: number, message: string) {
  return { jsonrpc: '2.0', id: call.id ?? null, error: { code, message } };
}

function isAllowed(call: unknown): call is RpcCall {
  if (typeof call !== 'object' || call === null) return false;
  const { method } = call as RpcCall;
  return typeof method === 'string' && ALLOWED.has(method);
}

/** The body, or undefined as soon as it exceeds the maximum size. */
async function readText(request: Request): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Programs send no origin; a browser sends the site's, which must be ours. */
function isOurs(origin: string | null, { publicBaseUrl, port }: Config): boolean {
  if (origin === null || WALLET_ORIGIN.test(origin)) return true;
  const own = [publicBaseUrl, `http://localhost:${port}`, `http://127.0.0.1:${port}`];
  return own.some((url) => new URL(url).origin === origin);
}

export async function POST(request: Request): Promise<Response> {
  const { config } = await getRuntime();
  if (!config.chain.sandbox) return new Response(null, { status: 404 });
  if (!isOurs(request.headers.get('origin'), config)) return new Response(null, { status: 403 });
  const text = await readText(request);
  if (text === undefined) return new Response(null, { status: 413 });
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return Response.json(refusal({}, -32700, 'Parse error'));
  }
  const calls: unknown[] = Array.isArray(body) ? body : [body];
  if (calls.length === 0 || calls.length > MAX_CALLS) {
    return Response.json(refusal({}, -32600, `Send from 1 to ${MAX_CALLS} calls`));
  }
  const refused = calls.find((call) => !isAllowed(call));
  if (refused !== undefined)
    return Response.json(refusal(refused ?? {}, -32601, 'Method not available here'));
  const response = await fetch(config.chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    // Forwards the checked call, not the sent text: with a duplicate key, the node could read
    // another value than the check did.
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  return new Response(await response.text(), { headers: { 'content-type': 'application/json' } });
}
