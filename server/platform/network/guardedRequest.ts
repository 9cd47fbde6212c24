import { type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { ForbiddenAddressError, guardedLookup, type HostResolver } from './hostResolver.ts';

type GuardedRequest = {
  method: 'GET' | 'POST';
  headers: OutgoingHttpHeaders;
  body?: string | Buffer | undefined;
  /** For the whole response, its body included. */
  timeoutMs: number;
  resolveHost: HostResolver;
  isAllowed: (address: string) => boolean;
};

/**
 * Requests a URL from untrusted input once: follows no redirects, and connects to allowed addresses
 * only. @throws {ForbiddenAddressError} @throws {UnresolvedHostError}
 */
export async function guardedRequest(url: URL, options: GuardedRequest): Promise<IncomingMessage> {
  const { method, headers, body, timeoutMs, resolveHost, isAllowed } = options;
  const host = hostOf(url);
  // For an IP address there is no lookup that would check it.
  if (isIP(host) && !isAllowed(host)) throw new ForbiddenAddressError();
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return await new Promise((resolve, reject) => {
    const request = send(
      url,
      {
        method,
        // A new connection: the address of a reused one was checked earlier.
        agent: false,
        lookup: guardedLookup(resolveHost, isAllowed),
        signal: AbortSignal.timeout(timeoutMs),
        headers,
      },
      resolve,
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** The whole body. @throws when it is longer than `maxBytes` */
export async function bodyOf(
  response: IncomingMessage,
  { maxBytes }: { maxBytes: number },
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop early closes the connection.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new Error('the response is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Host of a URL without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}
