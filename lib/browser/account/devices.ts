import type { Hex } from 'viem';
import { KEY_KIND, secp256k1Key } from '#lib/account/sessionKey.ts';
import { addSessionKeyCall, removeSessionKeyCall } from '#lib/account/sessionKeyCalls.ts';
import type { Account, SessionKey } from '#lib/api/schemas/account.ts';
import { createSessionKeyClient, type SessionKeyClient } from '#lib/api/sessionKeyClient.ts';
import type { ClientOptions, TradingClient } from '#lib/api/tradingClient.ts';
import type { RelayDraft } from '#lib/browser/relay/relayDraft.ts';
import { sendFromOwner } from '#lib/browser/relay/sendFromOwner.ts';
import type { WalletCall } from '#lib/browser/wallet/sendCalls.ts';
import { deviceName } from '#lib/format/device.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import { ensureDeviceKey, grantKeyOf, replaceDeviceKey } from './deviceKey.ts';

type Service = { api: TradingClient; site: SiteConfig; client: ClientOptions };

/**
 * Has the owner sign, once, that this device may sign orders under the permission in force. A second
 * call finds what the first one did. A key that the owner removed stays removed, so the device makes
 * a new one.
 * @throws when the permission is not on chain
 */
export async function addThisDevice(service: Service, account: Account): Promise<void> {
  const keys = createSessionKeyClient(service.client);
  const known = (await keys.listSessionKeys()).keys;
  const before = await ensureDeviceKey(account.owner);
  const state = known.find(({ key }) => key === grantKeyOf(before))?.status;
  const signer = state === 'removed' ? await replaceDeviceKey(account.owner) : before;
  const key = grantKeyOf(signer);
  if (state !== 'active') {
    const added = { keyKind: KEY_KIND.p256, key };
    await send(service, account, addSessionKeyCall(accountOf(account), nonceOf(account), added));
  }
  await nameThisDevice(keys, key);
}

/** A name is a convenience: without one the key signs all the same. */
export async function nameThisDevice(keys: SessionKeyClient, key: Hex): Promise<void> {
  await keys.nameSessionKey(key, { name: deviceName(navigator.userAgent) }).catch(() => undefined);
}

/** Has the owner sign, once, that a key of the permission signs no more orders. */
export async function removeDevice(
  service: Service,
  account: Account,
  { kind, key }: SessionKey,
): Promise<void> {
  const removed = { key: kind === 'p256' ? (key as Hex) : secp256k1Key(key as Hex).key };
  await send(service, account, removeSessionKeyCall(accountOf(account), nonceOf(account), removed));
}

const accountOf = ({ smartAccountAddress }: Account) => smartAccountAddress as Hex;

function nonceOf({ grant }: Account): bigint {
  if (grant?.status === 'active') return BigInt(grant.nonce);
  throw new Error('Your trading permission is not on chain. Reload the page. Nothing was signed.');
}

/** Crossbook sends it and pays the network fee, as it sends the permission itself. */
async function send(service: Service, account: Account, call: WalletCall): Promise<void> {
  const draft: RelayDraft = { type: 'batch', calls: [call] };
  await sendFromOwner(service, account, { calls: [call], draft, isAlwaysRelayed: true });
}
