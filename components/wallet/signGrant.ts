import { type Hex, zeroAddress } from 'viem';
import { secp256k1Key } from '#lib/account/sessionKey.ts';
import type { Account } from '#lib/api/schemas/account.ts';
import { createSessionKeyClient } from '#lib/api/sessionKeyClient.ts';
import type { ClientOptions, TradingClient } from '#lib/api/tradingClient.ts';
import { ensureDeviceKey, grantKeyOf, holdsKey } from '#lib/browser/account/deviceKey.ts';
import { addThisDevice, nameThisDevice } from '#lib/browser/account/devices.ts';
import {
  covers,
  type GrantLimits,
  grantQueryOf,
  limitsProblem,
  matchesChosenLimits,
  type RequiredLimits,
} from '#lib/browser/account/grantLimits.ts';
import { loadWallet } from '#lib/browser/wallet/wallet.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import { chosenLimits, limitsDraft } from './chosenLimits.ts';

export type GrantAsked = {
  /** Overrides the limits chosen on the page. */
  limits?: GrantLimits;
  /** The limits must cover this to be useful. */
  need?: RequiredLimits | undefined;
  /** Keeps a program's session key. */
  keepsProgram?: boolean;
  /** Adds this device to a permission of other devices instead of replacing it. */
  addsDevice?: boolean;
};

/** The key that must sign orders; none if the owner does not want it. */
async function keyFor(account: Account, limits: GrantLimits, { keepsProgram }: GrantAsked) {
  const named = account.grant?.sessionKey;
  if (keepsProgram && named?.kind === 'secp256k1') {
    const address = named.key as Hex;
    if (address === zeroAddress) {
      throw new Error(
        'The program’s key was removed from this permission. Change limits to sign another one. Nothing was signed.',
      );
    }
    return { sessionKey: address, key: secp256k1Key(address).key, isOurs: false };
  }
  if (!limits.signsOnDevice) return { sessionKey: 'none', key: undefined, isOurs: false };
  const signer = await ensureDeviceKey(account.owner);
  return { sessionKey: signer.sessionKey, key: grantKeyOf(signer), isOurs: true };
}

/**
 * Has the owner sign the permission with the limits on the page, and records it.
 * @throws also when the service returns other limits than those
 */
export async function signGrant(
  { api, site, client }: { api: TradingClient; site: SiteConfig; client: ClientOptions },
  account: Account,
  asked: GrantAsked,
): Promise<void> {
  if (asked.addsDevice && (await canAddDevice(account))) {
    return await addThisDevice({ api, site, client }, account);
  }
  const limits = asked.limits ?? chosenLimits(account);
  const problem = limitsProblem(limits);
  if (problem) throw new Error(problem);
  if (asked.need && !covers(limits, asked.need)) {
    throw new Error(
      'These limits are too low for this order. Raise them and sign again. Nothing was signed.',
    );
  }
  const address = account.owner as `0x${string}`;
  const { sessionKey, key, isOurs } = await keyFor(account, limits, asked);
  const query = { address, sessionKey, ...grantQueryOf(limits) };
  const { typedData } = await api.getGrant(query);
  if (!matchesChosenLimits(typedData.message, limits, { nowMs: Date.now(), key })) {
    throw new Error('The permission changed. Check it and sign again.');
  }
  const { engine, signTyped, ensureOurChain } = await loadWallet(site);
  // Wallets refuse to sign for another network than their own.
  await ensureOurChain(engine);
  const signature = await signTyped(engine, address, typedData);
  await api.recordGrant({ grant: typedData.message, signature, address });
  limitsDraft.drop();
  if (isOurs && key) await nameThisDevice(createSessionKeyClient(client), key);
}

/** Whether the permission on chain is of other devices or programs. */
async function canAddDevice({ owner, grant }: Account): Promise<boolean> {
  return grant?.status === 'active' && grant.sessionKey !== null && !(await holdsKey(owner, grant));
}
