import { ServiceError } from '#server/platform/errors.ts';
import type { HostResolver } from '#server/platform/network/hostResolver.ts';
import { isLoopbackAddress, isPublicAddress } from '#server/platform/network/publicAddress.ts';

/**
 * Where messages may go. A target is chosen by a caller, so it must never lead into our own
 * network: its name is judged when the webhook is made, and what the name resolves to is judged
 * again for every connection, because that can change in between.
 */

export type TargetPolicy = {
  /** On a sandbox: this machine, and http. */
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

/** Where in a request the address stands. */
type Pointer = '/url' | '/endpoint';

const refused = (detail: string, pointer: Pointer, cause?: unknown) =>
  new ServiceError('target_not_allowed', `This webhook URL is not allowed: it ${detail}.`, {
    errors: [{ pointer, detail }],
    cause,
  });

/** The parts of a target that need no network. @throws {ServiceError} target_not_allowed */
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

/** Host of a URL without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/**
 * Whether messages may be sent there, as far as can be checked now; returns the URL in the form in
 * which it is stored. @throws {ServiceError} target_not_allowed
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
