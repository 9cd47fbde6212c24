import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { type Address, getAddress, type Hex } from 'viem';
import { createSiweMessage, parseSiweMessage } from 'viem/siwe';
import type { Chain } from '../chain/client.ts';
import type { Database } from '../db/client.ts';
import { signInNonces } from '../db/schema/auth.ts';
import { ServiceError } from '../errors.ts';
import { verifyWalletMessage } from './walletSignature.ts';

const MESSAGE_LIFETIME_MS = 10 * 60 * 1000;
const STATEMENT =
  'Sign in to Crossbook. This costs nothing and moves nothing; it proves that this wallet is yours.';

export type SignInDeps = { database: Database; chain: Chain; publicBaseUrl: string };

export type SignInMessage = { message: string; nonce: string; expiresAt: Date };

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** An EIP-4361 message with a single-use nonce for this wallet to sign. */
export async function issueSignInMessage(
  deps: SignInDeps,
  walletAddress: Address,
): Promise<SignInMessage> {
  const address = getAddress(walletAddress);
  const nonce = randomBytes(16).toString('hex');
  const issuedAt = new Date();
  const expiresAt = new Date(issuedAt.getTime() + MESSAGE_LIFETIME_MS);
  const message = createSiweMessage({
    domain: new URL(deps.publicBaseUrl).host,
    address,
    statement: STATEMENT,
    uri: deps.publicBaseUrl,
    version: '1',
    chainId: deps.chain.id,
    nonce,
    issuedAt,
    expirationTime: expiresAt,
  });
  await deps.database.orm
    .insert(signInNonces)
    .values({ nonce, address, messageHash: sha256(message), expiresAt });
  await deps.database.orm
    .delete(signInNonces)
    .where(lt(signInNonces.expiresAt, sql`now() - interval '1 hour'`));
  return { message, nonce, expiresAt };
}

const refused = (detail: string) => new ServiceError('sign_in_failed', detail);

/**
 * Exchanges a signed message for the wallet it proves. The message must be exactly one that was
 * handed out, still fresh, and not used before.
 *
 * @throws {ServiceError} `sign_in_failed`, `chain_unavailable`
 */
export async function redeemSignInMessage(
  deps: SignInDeps,
  input: { message: string; signature: Hex },
): Promise<Address> {
  const { nonce, address } = parseSiweMessage(input.message);
  if (!nonce || !address) {
    throw refused('This is not a sign-in message; ask for one at GET /v1/auth/message.');
  }
  const [issued] = await deps.database.orm
    .select()
    .from(signInNonces)
    .where(eq(signInNonces.nonce, nonce));
  if (!issued || issued.messageHash !== sha256(input.message)) {
    throw refused('The message is not one that was handed out here, or it was changed.');
  }
  if (issued.usedAt) throw refused('This message has been used already; ask for a new one.');
  if (issued.expiresAt <= new Date()) throw refused('The message has expired; ask for a new one.');

  const owner = getAddress(issued.address);
  const signed = await verifyWalletMessage(deps.chain, { ...input, address: owner });
  if (!signed) throw refused('The signature is not by the wallet that the message names.');

  const used = await deps.database.orm
    .update(signInNonces)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(signInNonces.nonce, nonce),
        isNull(signInNonces.usedAt),
        gt(signInNonces.expiresAt, sql`now()`),
      ),
    )
    .returning({ nonce: signInNonces.nonce });
  if (used.length === 0) throw refused('This message has been used already; ask for a new one.');
  return owner;
}
