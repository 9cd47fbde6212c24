/** A JSON-RPC request from a client. */
export type RpcCall = { id?: unknown; method?: unknown; params?: unknown };

export type RpcResponse = { result?: unknown; error?: { code?: number; message?: string } };

/** Calls a chain directly. @throws on an error response */
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
