import { isIP } from 'node:net';
import { type Address, type Hex, isHex } from 'viem';
import { bodyOf, guardedRequest, hostOf } from '#server/platform/network/guardedRequest.ts';
import type { HostResolver } from '#server/platform/network/hostResolver.ts';
import { isPublicAddress } from '#server/platform/network/ipAddress.ts';

/**
 * Fetches off-chain records of a name's contract (ERC-3668). The contract, and so any attacker,
 * chooses the URLs: only https hosts of the public internet are requested, with limits on their
 * number, time and response size.
 */

const MAX_URLS = 4;
const TIMEOUT_MS = 4_000;
const MAX_BYTES = 64 * 1024;

type Lookup = { data: Hex; sender: Address; urls: readonly string[] };

/** The first successful gateway response. @throws when every gateway fails */
export async function requestGateway(
  { data, sender, urls }: Lookup,
  resolveHost: HostResolver,
): Promise<Hex> {
  let failure: unknown = new Error('the contract names no gateway');
  for (const template of urls.slice(0, MAX_URLS)) {
    try {
      return await ask(template, { data, sender }, resolveHost);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function ask(
  template: string,
  asked: { data: Hex; sender: Address },
  resolveHost: HostResolver,
): Promise<Hex> {
  const isPost = !template.includes('{data}');
  const response = await guardedRequest(gatewayUrl(template, asked), {
    method: isPost ? 'POST' : 'GET',
    headers: {
      accept: 'application/json',
      ...(isPost && { 'content-type': 'application/json' }),
    },
    body: isPost ? JSON.stringify(asked) : undefined,
    timeoutMs: TIMEOUT_MS,
    resolveHost,
    isAllowed: isPublicAddress,
  });
  if (response.statusCode !== 200) {
    response.destroy();
    throw new Error(`the gateway responded with status ${response.statusCode}`);
  }
  const body = await bodyOf(response, { maxBytes: MAX_BYTES });
  const { data } = JSON.parse(body.toString('utf8')) as { data?: unknown };
  if (!isHex(data)) throw new Error('the gateway returned no bytes');
  return data;
}

/** @throws for anything but an https URL of the public internet */
export function gatewayUrl(template: string, asked: { data: Hex; sender: Address }): URL {
  const filled = template
    .replaceAll('{sender}', asked.sender.toLowerCase())
    .replaceAll('{data}', asked.data);
  const url = new URL(filled);
  const host = hostOf(url);
  const isAllowed = url.protocol === 'https:' && url.username === '' && url.password === '';
  if (!isAllowed || (isIP(host) && !isPublicAddress(host))) {
    throw new Error('the gateway is not on the public internet');
  }
  return url;
}
