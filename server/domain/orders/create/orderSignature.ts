import type { Address, Hex } from 'viem';
import {
  type GrantKey,
  KEY_KIND,
  NO_SESSION_KEY,
  namesSessionKey,
} from '#lib/account/sessionKey.ts';
import type { AnyOrderRequest } from '#lib/api/schemas/order.ts';
import { orderDigest } from '#lib/order/orderToSign.ts';
import { readAccountState, readSessionKeyKind } from '#server/chain/accountReads.ts';
import type { Chain } from '#server/chain/client.ts';
import { orderMessage, type VaultOrder } from '#server/chain/vaultOrder.ts';
import type { Database } from '#server/platform/database/client.ts';
import { ServiceError } from '#server/platform/errors.ts';
import { fromChain } from '../../accounts/accounts.ts';
import { currentGrant, getRecordedGrant } from '../../accounts/grants.ts';
import { isSameKey, signerOf } from '../../accounts/sessionKey.ts';
import { recordKeyUse } from '../../accounts/sessionKeyList.ts';

type Deps = { database: Database; chain: Chain };

/** What a session key signed may be stored this long after it was prepared. */
const SIGN_WITHIN_MS = 2 * 60_000;
/** Clocks of several servers differ. */
const CLOCK_SKEW_MS = 5_000;

type SignedPart = NonNullable<AnyOrderRequest['signed']>;

/**
 * Whether orders of the account must be signed by a session key.
 * @throws {ServiceError} chain_unavailable
 */
export async function wantsOrderSignature(deps: Deps, account: Address): Promise<boolean> {
  const [state, recorded] = await Promise.all([
    fromChain(() => readAccountState(deps.chain, account)),
    getRecordedGrant(deps, account),
  ]);
  return namesSessionKey(currentGrant(state, recorded)?.grant ?? NO_SESSION_KEY);
}

/**
 * The moment that the terms of a signed order follow from.
 * @throws {ServiceError} order_signature_invalid
 */
export function readPreparedAt({ preparedAt }: SignedPart, now: Date): Date {
  const prepared = new Date(preparedAt);
  const ageMs = now.getTime() - prepared.getTime();
  if (ageMs <= SIGN_WITHIN_MS && ageMs >= -CLOCK_SKEW_MS) return prepared;
  throw invalid('/signed/preparedAt', 'is not within the last two minutes');
}

type Signed = Pick<SignedPart, 'signature'> | undefined;

/**
 * Checks what the account will check, as `checkOrderSignature` does, and records that the key is used.
 * @returns the signature to store; null where none is needed
 */
export async function requireOrderSignature(
  deps: Deps,
  order: VaultOrder,
  signed: Signed,
): Promise<Hex | null> {
  const { signature, signer } = await checkOrderSignature(deps, order, signed);
  if (signer) await recordKeyUse(deps, order.account, signer.key);
  return signature;
}

/**
 * Checks what the account will check: that a session key of its permission signed the order. The chain
 * is asked for each one, because the owner adds and removes keys there.
 * @throws {ServiceError} order_signature_required, order_signature_invalid, session_key_removed,
 *   chain_unavailable
 */
export async function checkOrderSignature(
  deps: Deps,
  order: VaultOrder,
  signed: Signed,
): Promise<{ signature: Hex | null; signer?: GrantKey }> {
  const signature = (signed?.signature ?? null) as Hex | null;
  const recorded = await getRecordedGrant(deps, order.account);
  if (!namesSessionKey(recorded?.grant ?? NO_SESSION_KEY)) return { signature };
  const state = await fromChain(() => readAccountState(deps.chain, order.account));
  const current = currentGrant(state, recorded);
  if (!current || !namesSessionKey(current.grant)) return { signature };
  if (signature === null) throw missing();
  const digest = orderDigest(deps.chain.id, orderMessage(order));
  const signer = await signerOf(digest, signature);
  if (!signer) throw invalid('/signed/signature', 'is not a session key’s');
  await requireGrantKey(deps, order.account, current, signer);
  return { signature, signer };
}

async function requireGrantKey(
  deps: Deps,
  account: Address,
  { grant, isOnChain }: { grant: GrantKey; isOnChain: boolean },
  signer: GrantKey,
): Promise<void> {
  if (isSameKey(signer, grant)) return;
  if (!isOnChain) throw invalid('/signed/signature', 'is not the session key’s');
  const kind = await fromChain(() => readSessionKeyKind(deps.chain, account, signer.key));
  if (kind === KEY_KIND.removed) throw removed();
  if (kind !== signer.keyKind) throw invalid('/signed/signature', 'is not a session key’s');
}

function missing(): ServiceError {
  return new ServiceError(
    'order_signature_required',
    'The trading permission of this account names a session key, which must sign every order ' +
      '(POST /v1/order/typed-data). Nothing was created.',
    { errors: [{ pointer: '/signed', detail: 'is required' }] },
  );
}

function removed(): ServiceError {
  return new ServiceError(
    'session_key_removed',
    'The owner removed this session key from the trading permission. Sign with another of its keys, or ' +
      'have the owner sign a new permission. Nothing was created.',
    { errors: [{ pointer: '/signed/signature', detail: 'is of a removed key' }] },
  );
}

function invalid(pointer: string, detail: string): ServiceError {
  return new ServiceError(
    'order_signature_invalid',
    'The session key has not signed this order. Sign what POST /v1/order/typed-data returns, and ' +
      'send it at once. Nothing was created.',
    { errors: [{ pointer, detail }] },
  );
}
