import { ServiceError } from '#server/platform/errors.ts';
import { hostOf } from '#server/platform/network/guardedRequest.ts';
import type { HostResolver } from '#server/platform/network/hostResolver.ts';
import { isLoopbackAddress, isPublicAddress } from '#server/platform/network/ipAddress.ts';

/**
 * Checks where messages may go. A caller chooses the target, so it must never lead into our own
 * network. The name is checked when the webhook is created, and the resolved addresses again for
 * every connection, because they can change.
 */

export type TargetPolicy = {
  /** In a sandbox: allows this machine, and http. */
  allowLocal: boolean;
  /** How the host of a target is resolved. */
  resolveHost: HostResolver;
};

/** Whether a connection to this address is allowed. */
export function isAllowedAddress(
  address: string,
  policy: Pick<TargetPolicy, 'allowLocal'>,
): boolean {
  return isPublicAddress(address) || (policy.allowLocal && isLoopbackAddress(address));
}

/** The request field of the address. */
type Pointer = '/url' | '/endpoint';

const refused = (detail: string, pointer: Pointer, cause?: unknown) =>
  new ServiceError('target_not_allowed', `This webhook URL is not allowed: it ${detail}.`, {
    errors: [{ pointer, detail }],
    cause,
  });

/** Checks what needs no network. @throws {ServiceError} target_not_allowed */
export function parseTarget(
  text: string,
  policy: Pick<TargetPolicy, 'allowLocal'>,
  pointer: Pointer = '/url',
): URL {
  const url = URL.parse(text);
  if (!url) throw refused('must be a URL', pointer);
  const schemes = policy.allowLocal ? ['https:', 'http:'] : ['https:'];
  if (!schemes.includes(url.protocol)) throw refused('must begin with https://', pointer);
  if (url.username !== '' || url.password !== '') {
    throw refused('must not contain credentials', pointer);
  }
  return url;
}

/**
 * Checks a target, with its present addresses.
 * @returns the URL in its stored form
 * @throws {ServiceError} target_not_allowed
 */
export async function requireAllowedTarget(
  text: string,
  policy: TargetPolicy,
  pointer: Pointer = '/url',
): Promise<string> {
  const url = parseTarget(text, policy, pointer);
  const addresses = await policy.resolveHost(hostOf(url)).catch((cause: unknown) => {
    throw refused('has a host name that cannot be resolved', pointer, cause);
  });
  if (!addresses.every(({ address }) => isAllowedAddress(address, policy))) {
    throw refused('must be on the public internet', pointer);
  }
  return url.href;
}
