import type { Config } from '../../platform/config/config.ts';
import { createKeyService } from '../../platform/keys/keyService.ts';
import { createServiceSigner, createSigner, type Signer } from './signer.ts';

/** The process's current key at the exchange; it can change while requests run. */
export type ExchangeKey = {
  /** Signs with the key that is current at the moment of the call. */
  signer: Signer;
  /**
   * The new key signs from the next request on. Order ids belong to the account, not to the key.
   */
  change(config: Pick<Config, 'exchange' | 'keyService'>): void;
};

/** Undefined when the configuration has no key. */
export function openExchangeKey(
  config: Pick<Config, 'exchange' | 'keyService'>,
): ExchangeKey | undefined {
  let current = signerFrom(config);
  if (!current) return undefined;
  const sign: Signer = (...request) =>
    current ? current(...request) : Promise.reject(new Error('the exchange key is missing'));
  return {
    signer: sign,
    change(next) {
      current = signerFrom(next) ?? current;
    },
  };
}

function signerFrom({
  exchange,
  keyService,
}: Pick<Config, 'exchange' | 'keyService'>): Signer | undefined {
  if (!exchange.key) return undefined;
  const { id, source } = exchange.key;
  if (source.kind === 'local') return createSigner(id, source.value);
  if (!keyService) throw new Error('KEY_SERVICE_URL is not set');
  return createServiceSigner(id, createKeyService(keyService), source.keyId);
}
