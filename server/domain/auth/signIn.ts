import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { lt, sql } from 'drizzle-orm';
import { type Address, getAddress, type Hex } from 'viem';
import { createSiweMessage, parseSiweMessage } from 'viem/siwe';
import type { Chain } from '../../chain/client.ts';
import type { Database } from '../../platform/database/client.ts';
import { signInNonces, signInSecrets } from '../../platform/database/schema/auth.ts';
import { ServiceError } from '../../platform/errors.ts';
import { memoizeByObject } from '../../platform/memoizeByObject.ts';
import { createTimedCache } from '../../platform/timedCache.ts';
import { verifyWalletMessage } from './walletSignature.ts';

const MESSAGE_LIFETIME_MS = 10 * 60 * 1000;
const RANDOM_BYTES = 12;
const SECRET_FOR_MS = 60 * 60_000;
const STATEMENT =
  'Sign in to Crossbook. This proves that you own this wallet. It is free and moves no funds.';

export type SignInDeps = { database: Database; chain: Chain; publicBaseUrl: string };

export type SignInMessage = { message: string; nonce: string; expiresAt: Date };

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const secretOf = memoizeByObject((database: Database) =>
  createTimedCache(SECRET_FOR_MS, async () => {
    const [row] = await database.orm.select().from(signInSecrets).limit(1);
    if (!row) throw new Error('the secret for sign-in messages is missing');
    return row.secret;
  }),
);

/**
 * An EIP-4361 message with a single-use nonce for this wallet to sign. Stores nothing, since any
 * caller may request any wallet's: the nonce itself proves that the message was issued here.
 */
export async function issueSignInMessage(
  deps: SignInDeps,
  walletAddress: Address,
): Promise<SignInMessage> {
  const address = getAddress(walletAddress);
  const issuedAt = new Date();
  const secret = await secretOf(deps.database)('secret');
  const nonce = nonceOf(secret, randomBytes(RANDOM_BYTES).toString('hex'), address, issuedAt);
  return { message: messageOf(deps, address, nonce, issuedAt), nonce, expiresAt: endOf(issuedAt) };
}

const endOf = (issuedAt: Date) => new Date(issuedAt.getTime() + MESSAGE_LIFETIME_MS);

/** Random digits, followed by a MAC over them, the wallet and the time. */
function nonceOf(secret: string, random: string, address: Address, issuedAt: Date): string {
  const proof = createHmac('sha256', secret).update(
    `${random} ${address} ${issuedAt.toISOString()}`,
  );
  return random + proof.digest('hex').slice(0, 40);
}

function messageOf(deps: SignInDeps, address: Address, nonce: string, issuedAt: Date): string {
  return createSiweMessage({
    domain: new URL(deps.publicBaseUrl).host,
    address,
    statement: STATEMENT,
    uri: deps.publicBaseUrl,
    version: '1',
    chainId: deps.chain.id,
    nonce,
    issuedAt,
    expirationTime: endOf(issuedAt),
  });
}

const refused = (detail: string) => new ServiceError('sign_in_failed', detail);

/**
 * Exchanges a signed message for the wallet it proves. The message must be one that was issued
 * here, still fresh, and unused.
 *
 * @throws {ServiceError} `sign_in_failed`, `chain_unavailable`
 */
export async function redeemSignInMessage(
  deps: SignInDeps,
  input: { message: string; signature: Hex },
): Promise<Address> {
  const { nonce, address, issuedAt } = parseSiweMessage(input.message);
  if (!nonce || !address || !issuedAt || Number.isNaN(issuedAt.getTime())) {
    throw refused('This is not a sign-in message. Request one with GET /v1/auth/message.');
  }
  const owner = getAddress(address);
  const secret = await secretOf(deps.database)('secret');
  const ours = nonceOf(secret, nonce.slice(0, RANDOM_BYTES * 2), owner, issuedAt);
  if (!isSame(nonce, ours) || messageOf(deps, owner, nonce, issuedAt) !== input.message) {
    throw refused('The message was not issued by Crossbook or was changed.');
  }
  const expiresAt = endOf(issuedAt);
  if (expiresAt <= new Date()) throw refused('The message has expired. Request a new one.');

  const signed = await verifyWalletMessage(
    { chain: deps.chain, config: deps },
    { ...input, address: owner },
  );
  if (!signed) throw refused('The signature is not by the wallet named in the message.');

  const used = await deps.database.orm
    .insert(signInNonces)
    .values({ nonce, address, messageHash: sha256(input.message), expiresAt, usedAt: sql`now()` })
    .onConflictDoNothing()
    .returning({ nonce: signInNonces.nonce });
  if (used.length === 0) throw refused('This message was already used. Request a new one.');
  await deps.database.orm
    .delete(signInNonces)
    .where(lt(signInNonces.expiresAt, sql`now() - interval '1 hour'`));
  return owner;
}

function isSame(given: string, ours: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(ours)];
  return one.length === other.length && timingSafeEqual(one, other);
}
