import {
  type Hex,
  hashMessage,
  hashTypedData,
  isAddressEqual,
  numberToHex,
  type TypedDataDefinition,
} from 'viem';
import { createTradingClient } from '#lib/api/tradingClient.ts';
import { accountCallsIn, relayMessageOf } from '#lib/browser/relay/relayDraft.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import { forgetPasskey, type Passkey, rememberedPasskey } from './rememberedPasskey.ts';

/**
 * The wallet of a passkey as an EIP-1193 provider. It has no node and no ether: it signs, and the
 * service sends what it has signed for the smart account.
 */
export type PasskeyProvider = {
  request(asked: { method: string; params?: unknown }): Promise<unknown>;
  on(event: string, listener: (payload: unknown) => void): void;
  removeListener(event: string, listener: (payload: unknown) => void): void;
};

/** An error as a wallet reports it (EIP-1193). */
class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

type AskedBatch = { calls: { to: Hex; value?: Hex; data?: Hex }[] };

export function createPasskeyProvider(site: SiteConfig): PasskeyProvider {
  const api = createTradingClient({ baseUrl: '', apiKey: site.apiKey });
  const chainId = numberToHex(site.chainId);
  const accounts = () => {
    const passkey = rememberedPasskey();
    return passkey ? [passkey.address] : [];
  };
  const sign = async (hash: Hex): Promise<Hex> => {
    const { signWithPasskey } = await import('./ceremonies.ts');
    return await signWithPasskey(site, presentPasskey(), hash);
  };

  const sendCalls = async ({ calls: asked }: AskedBatch): Promise<{ id: string }> => {
    const { address } = presentPasskey();
    const terms = await api.getRelayTerms(address);
    const all = asked.map(({ to, value, data }) => ({
      to,
      value: BigInt(value ?? 0),
      data: data ?? ('0x' as const),
    }));
    const own = terms.account as Hex;
    // What an owner may call on the account itself, such as `revoke`, the account may, too.
    const calls = all.map(
      (call) =>
        accountCallsIn(site, own, [call]) ?? (isAddressEqual(call.to, own) ? [call] : undefined),
    );
    if (!calls.every((some) => some !== undefined)) {
      throw new ProviderError(4200, 'A passkey sends calls of its smart account only.');
    }
    const account = { owner: address, smartAccountAddress: terms.account };
    const { typedData, ...message } = relayMessageOf(
      site,
      account,
      { type: 'batch', calls: calls.flat() },
      terms,
    );
    const signature = await sign(hashTypedData(typedData as TypedDataDefinition));
    const { relay } = await api.relay({ ...message, address, signature });
    return { id: relay.id };
  };

  const methods: Record<string, (params: unknown[]) => unknown> = {
    eth_accounts: accounts,
    eth_requestAccounts: () => [presentPasskey().address],
    eth_chainId: () => chainId,
    net_version: () => String(site.chainId),
    personal_sign: ([message]) => sign(hashMessage({ raw: message as Hex })),
    eth_signTypedData_v4: ([, json]) =>
      sign(hashTypedData(JSON.parse(String(json)) as TypedDataDefinition)),
    wallet_revokePermissions: forgetPasskey,
    wallet_getCapabilities: () => ({ [chainId]: { atomic: { status: 'supported' } } }),
    wallet_sendCalls: ([batch]) => sendCalls(batch as AskedBatch),
    wallet_getCallsStatus: async ([id]) => {
      const { status } = await api.getRelay(String(id));
      return { version: '2.0.0', id, chainId, atomic: true, status: CALLS_STATUS[status] };
    },
    wallet_switchEthereumChain: ([target]) => {
      if ((target as { chainId: Hex }).chainId === chainId) return null;
      throw new ProviderError(4902, 'A passkey is on one network only.');
    },
  };
  return {
    async request({ method, params }) {
      const respond = methods[method];
      if (!respond) throw new ProviderError(4200, `A passkey does not support ${method}.`);
      return await respond(Array.isArray(params) ? params : []);
    },
    // Nothing ever changes while it is connected.
    on: () => undefined,
    removeListener: () => undefined,
  };
}

/** Of EIP-5792, by the status of the relayed message. */
const CALLS_STATUS = { pending: 100, completed: 200, failed: 500 } as const;

function presentPasskey(): Passkey {
  const passkey = rememberedPasskey();
  if (!passkey) throw new ProviderError(4100, 'This browser has no passkey connected.');
  return passkey;
}
