import { getRuntime } from '#server/runtime.ts';

/**
 * The sandbox chain's JSON-RPC on our own origin, for the demo wallets. There is none off the
 * sandbox, and even there nothing but what a wallet needs is let through: the chain's own
 * administration stays out of a page's reach.
 */
export const dynamic = 'force-dynamic';

const ALLOWED = /^(eth|net|web3)_[A-Za-z]+$/;
/** Methods by which an unlocked node would sign with accounts that are not the visitor's. */
const REFUSED = new Set([
  'eth_sendTransaction',
  'eth_sendUnsignedTransaction',
  'eth_sign',
  'eth_accounts',
]);
const MAX_BODY_BYTES = 512_000;

type RpcCall = { id?: unknown; method?: unknown };

function refusal(call: RpcCall, code: number, message: string) {
  return { jsonrpc: '2.0', id: call.id ?? null, error: { code, message } };
}

function isAllowed(call: unknown): call is RpcCall {
  if (typeof call !== 'object' || call === null) return false;
  const { method } = call as RpcCall;
  return typeof method === 'string' && ALLOWED.test(method) && !REFUSED.has(method);
}

/** The body, or undefined as soon as it is larger than it may be. */
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

export async function POST(request: Request): Promise<Response> {
  const { config } = await getRuntime();
  if (!config.chain.sandbox) return new Response(null, { status: 404 });
  const text = await readText(request);
  if (text === undefined) return new Response(null, { status: 413 });
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return Response.json(refusal({}, -32700, 'Parse error'));
  }
  const calls: unknown[] = Array.isArray(body) ? body : [body];
  const refused = calls.find((call) => !isAllowed(call));
  if (refused !== undefined)
    return Response.json(refusal(refused ?? {}, -32601, 'Method not available here'));
  const answer = await fetch(config.chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    // What was judged, not what was sent: a name given twice means one thing to us and may mean
    // another to the node.
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  return new Response(await answer.text(), { headers: { 'content-type': 'application/json' } });
}
