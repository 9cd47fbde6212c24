import type { Address } from 'viem';
import type { AuthenticatedApiKey } from '../../domain/auth/apiKeys.ts';
import type { WebhookSubject } from '../../domain/notifications/webhooks/manageWebhooks.ts';
import type { Viewer } from '../../domain/orders/read/readOrders.ts';
import { ServiceError } from '../../platform/errors.ts';
import { subscriberNetwork } from '../../platform/network/ipAddress.ts';
import type { Caller } from './env.ts';

/** The name under which requests are counted; visitors of our pages share a key. */
export function callerName(
  apiKey: AuthenticatedApiKey | undefined,
  { ip }: { ip: string },
): string {
  if (apiKey && apiKey.kind !== 'pub') return apiKey.id;
  const network = subscriberNetwork(ip);
  return apiKey ? `${apiKey.id} ${network}` : `ip ${network}`;
}

/** The id of the key, on routes that require one. */
export function keyIdOf({ apiKey }: Caller): string {
  if (!apiKey)
    throw new ServiceError('api_key_missing', 'Send your API key in the header x-api-key.');
  return apiKey.id;
}

/** The signed-in wallet, on routes that require a token. */
export function ownerOf({ owner }: Caller): Address {
  if (!owner) throw new ServiceError('token_missing', 'Sign in first.');
  return owner;
}

/** The caller as a reader of orders. */
export function viewerOf(caller: Caller): Viewer {
  return {
    apiKeyId: keyIdOf(caller),
    apiKeyKind: caller.apiKey?.kind === 'pub' ? 'publishable' : 'secret',
    owner: caller.owner,
  };
}

/** The subject of a caller's webhooks: the signed-in wallet, or the secret key. */
export function webhookSubjectOf(caller: Caller): WebhookSubject {
  if (caller.owner) return { ownerAddress: caller.owner };
  if (caller.apiKey?.kind === 'pub') throw new ServiceError('token_missing', 'Sign in first.');
  return { apiKeyId: keyIdOf(caller) };
}
