/** An error as a wallet reports it (EIP-1193). */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError';
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Calls the sandbox's chain. @throws {ProviderRpcError} */
export async function rpc(url: string, method: string, params: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const reply = (await response.json()) as {
    result?: unknown;
    error?: { code: number; message: string };
  };
  if (reply.error) throw new ProviderRpcError(reply.error.code, reply.error.message);
  return reply.result;
}
