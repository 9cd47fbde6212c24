import { createSigner } from '#server/exchange/kalshi/signer.ts';

export type ExchangeKey = { keyId: string; privateKeyPem: string };

/** What the owner of an account does at the exchange with its keys, signed by one of them. */
export function exchangeKeys(exchangeUrl: string, by: ExchangeKey) {
  const signer = createSigner(by.keyId, by.privateKeyPem);
  const ask = async (method: string, path: string, body?: object) => {
    const headers = await signer(method, `${new URL(exchangeUrl).pathname}${path}`);
    return await fetch(`${exchangeUrl}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  };
  return {
    async generate(name: string): Promise<ExchangeKey> {
      const response = await ask('POST', '/api_keys/generate', { name });
      const made = (await response.json()) as { api_key_id: string; private_key: string };
      return { keyId: made.api_key_id, privateKeyPem: made.private_key };
    },
    delete: async (keyId: string): Promise<number> =>
      (await ask('DELETE', `/api_keys/${keyId}`)).status,
    readBalance: async (): Promise<number> => (await ask('GET', '/portfolio/balance')).status,
  };
}
