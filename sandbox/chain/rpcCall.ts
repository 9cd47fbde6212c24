/** One JSON-RPC question, as a client put it. */
export type RpcCall = { id?: unknown; method?: unknown; params?: unknown };

export type RpcAnswer = { result?: unknown; error?: { code?: number; message?: string } };

/** Asks a chain directly. @throws when it refuses */
export async function askChain(
  chainUrl: string,
  method: string,
  params: unknown = [],
): Promise<unknown> {
  const response = await fetch(chainUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = (await response.json()) as RpcAnswer;
  if (answer.error) throw new Error(`${method}: ${answer.error.message ?? 'refused'}`);
  return answer.result;
}
