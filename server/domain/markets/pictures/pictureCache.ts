import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { bodyOf, guardedRequest } from '#server/platform/network/guardedRequest.ts';
import type { HostResolver } from '#server/platform/network/hostResolver.ts';
import { isLoopbackAddress, isPublicAddress } from '#server/platform/network/ipAddress.ts';

/** A picture that the exchange gives to an event or a market. */
export type Picture = { bytes: Buffer<ArrayBuffer>; type: PictureType; etag: string };
type PictureType = (typeof TYPES)[number];

export type PictureCache = {
  /** The picture at this URL; undefined when there is none that pages may show. */
  read(url: string): Promise<Picture | undefined>;
};

const TYPES = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/avif',
  'image/gif',
  'image/svg+xml',
] as const;

export const MAX_PICTURE_BYTES = 512 * 1024;
const MAX_CACHED_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 5_000;
const HOLDS_MS = 24 * 60 * 60_000;
/** A picture that could not be read is tried again after this time. */
const MISSING_HOLDS_MS = 60_000;
/** Above the pictures of one page; more at once are refused. */
const MAX_AT_ONCE = 64;

const MISSING = 'missing';

/**
 * Reads pictures for browsers, which load none from other origins. The exchange chooses the URLs,
 * so they must lead to the public internet.
 * @param options.localOrigin the exchange's own origin when it runs on this machine
 */
export function createPictureCache(options: {
  resolveHost: HostResolver;
  localOrigin: string | undefined;
}): PictureCache {
  let underWay = 0;
  const cache = new LRUCache<string, Picture | typeof MISSING>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: (picture) => (picture === MISSING ? 1_000 : picture.bytes.length + 1_000),
    ttl: HOLDS_MS,
    async fetchMethod(url, _stale, { options: own }) {
      if (underWay >= MAX_AT_ONCE) return undefined;
      underWay += 1;
      try {
        return await fetchPicture(url, options);
      } catch {
        own.ttl = MISSING_HOLDS_MS;
        return MISSING;
      } finally {
        underWay -= 1;
      }
    },
  });
  return {
    async read(url) {
      const found = await cache.fetch(url);
      return found === MISSING ? undefined : found;
    },
  };
}

async function fetchPicture(
  address: string,
  { resolveHost, localOrigin }: { resolveHost: HostResolver; localOrigin: string | undefined },
): Promise<Picture> {
  const given = new URL(address);
  // An exchange on this machine may have another port since the URL was stored.
  const isLocal = localOrigin !== undefined && given.protocol === 'http:';
  const url = isLocal ? new URL(given.pathname + given.search, localOrigin) : given;
  if (!isLocal && url.protocol !== 'https:') throw new Error('a picture needs an https URL');
  const response = await guardedRequest(url, {
    method: 'GET',
    headers: { accept: TYPES.join(', ') },
    timeoutMs: TIMEOUT_MS,
    resolveHost,
    isAllowed: isLocal ? isLoopbackAddress : isPublicAddress,
  });
  const type = typeOf(response);
  if (response.statusCode !== 200 || type === undefined) {
    response.destroy();
    throw new Error(`not a picture: status ${response.statusCode}`);
  }
  const bytes = await bodyOf(response, { maxBytes: MAX_PICTURE_BYTES });
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { bytes, type, etag };
}

function typeOf({ headers }: IncomingMessage): PictureType | undefined {
  const given = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  return TYPES.find((type) => type === given);
}
