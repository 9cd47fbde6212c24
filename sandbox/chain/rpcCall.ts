/** One JSON-RPC question, as a client put it. */
export type RpcCall = { id?: unknown; method?: unknown; params?: unknown };

export type RpcResponse = { result?: unknown; error?: { code?: number; message?: string } };

/** Asks a chain directly. @throws when it refuses */
export async function requestChain(
  chainUrl: string,
  method: string,
  params: unknown = [],
): Promise<unknown> {
  const response = await fetch(chainUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const reply = (await response.json()) as RpcResponse;
  if (reply.error) throw new Error(`${method}: ${reply.error.message ?? 'refused'}`);
  return reply.result;
}
