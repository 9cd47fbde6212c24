import { type Address, type Hex, hashTypedData, type TypedDataDefinition } from 'viem';
import type { WalletOwners } from '#lib/api/schemas/passkey.ts';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import { followRelay } from '#lib/browser/relay/relayMessage.ts';
import { toWalletError } from '#lib/browser/wallet/errors.ts';
import { rememberedPasskey } from '#lib/browser/wallet/passkey/rememberedPasskey.ts';
import { loadWallet } from '#lib/browser/wallet/wallet.ts';
import { sameAddress } from '#lib/format/address.ts';
import { signatureByAddress, walletSignature } from '#lib/passkey/passkeyWallet.ts';
import type { WalletCall } from '#lib/passkey/walletCalls.ts';
import { BATCH_GAS, USUAL_BATCH_SECONDS, walletBatchTypedData } from '#lib/relay/batchToSign.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';

type Service = { api: TradingClient; site: SiteConfig };

/**
 * Has the connected owner sign calls of a passkey's wallet, and follows them until they are on
 * chain. The service pays the network fee.
 * @param owner the connected address: the passkey's wallet itself, or a wallet that owns it
 * @throws {WalletError} and what the service throws
 */
export async function sendWalletCalls(
  { api, site }: Service,
  owner: Address,
  { wallet, firstKey, batch }: Pick<WalletOwners, 'wallet' | 'firstKey' | 'batch'>,
  calls: readonly WalletCall[],
): Promise<void> {
  const message = {
    calls: calls.map((call) => ({ ...call, value: '0' })),
    gas: BATCH_GAS.toString(),
    nonce: batch.nonce,
    deadline: (Math.floor(Date.now() / 1_000) + USUAL_BATCH_SECONDS).toString(),
  };
  const typedData = walletBatchTypedData(site.chainId, wallet as Address, message);
  const signature = sameAddress(owner, wallet)
    ? await signAsPasskey(site, typedData)
    : await signAsWallet(site, owner, firstKey as Hex, typedData);
  await followRelay(api, { type: 'walletBatch', address: wallet, message, signature });
}

type TypedData = ReturnType<typeof walletBatchTypedData>;

async function signAsPasskey(site: SiteConfig, typedData: TypedData): Promise<Hex> {
  const { signDigest } = await import('#lib/browser/wallet/passkey/ceremonies.ts');
  const passkey = rememberedPasskey();
  if (!passkey) throw new Error('This browser has no passkey connected.');
  try {
    return await signDigest(site, passkey, hashTypedData(typedData as TypedDataDefinition));
  } catch (error) {
    throw toWalletError(error, true);
  }
}

async function signAsWallet(
  site: SiteConfig,
  owner: Address,
  firstKey: Hex,
  typedData: TypedData,
): Promise<Hex> {
  const [{ engine, ensureOurChain, signTyped }, { factoryOf }] = await Promise.all([
    loadWallet(site),
    import('#lib/browser/wallet/passkey/ceremonies.ts'),
  ]);
  await ensureOurChain(engine);
  const signature = signatureByAddress(owner, await signTyped(engine, owner, typedData));
  return walletSignature(factoryOf(site), firstKey, signature);
}
