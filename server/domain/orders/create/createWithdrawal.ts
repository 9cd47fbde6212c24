import { randomUUID } from 'node:crypto';
import {
  type Address,
  getAddress,
  type Hex,
  isAddressEqual,
  isErc6492Signature,
  parseErc6492Signature,
  zeroAddress,
} from 'viem';
import type { WithdrawalIntent } from '#lib/api/schemas/order.ts';
import type {
  PrepareWithdrawalRequest,
  WithdrawalToSign as WithdrawalToSignResponse,
  WithdrawRequest,
} from '#lib/api/schemas/withdraw.ts';
import { MicrosError, parseMicros } from '#lib/money.ts';
import {
  MAX_DEADLINE_SECONDS,
  MIN_DEADLINE_SECONDS,
  signedWithdrawalId,
  USUAL_DEADLINE_SECONDS,
  type WithdrawalToSign,
  withdrawalToHash,
  withdrawalTypedData,
} from '#lib/withdraw/withdrawalToSign.ts';
import { type Chain, isDeployed } from '#server/chain/client.ts';
import { readPasskeySignature } from '#server/chain/operations/passkeyWallet.ts';
import { fromChain, resolveAccount, storeAccount } from '#server/domain/accounts/accounts.ts';
import { requireNotServiceAddress } from '#server/domain/accounts/serviceAddresses.ts';
import { type SignatureDeps, verifyWalletTypedData } from '#server/domain/auth/walletSignature.ts';
import { findOutcomeByTokenId } from '#server/domain/markets/catalogue/outcomes.ts';
import { type FieldProblem, ServiceError } from '#server/platform/errors.ts';
import { serializeWithdrawalIntent } from '../read/serializeOrder.ts';
import type { OrderDeps } from './createOrder.ts';
import { findByClientId, hashRequest, storeOnce } from './storeOrder.ts';
import { parseTokenId } from './validateTrade.ts';

type WithdrawalBody = Omit<WithdrawRequest, 'signature' | 'deadline' | 'clientId'>;

/** Resolves a withdrawal request once everything in it is validated. */
async function readWithdrawal(deps: OrderDeps, wallet: Address, body: WithdrawalBody) {
  await requireNotServiceAddress(deps, { '/destinationAddress': body.destinationAddress });
  const { owner, account } = await resolveAccount(deps, wallet);
  const destination = readDestination(body, account);
  const token = await readToken(deps, body);
  return { owner, account, destination, token, withdrawMicros: readAmount(body.amount) };
}

type ReadWithdrawal = Awaited<ReturnType<typeof readWithdrawal>>;

function signedPartOf(
  chain: Chain,
  withdrawal: ReadWithdrawal,
  by: { clientId: string; deadlineSeconds: number },
): WithdrawalToSign {
  const { account, token, withdrawMicros, destination } = withdrawal;
  return {
    chainId: chain.id,
    account,
    token: token.tokenId === undefined ? chain.contracts.usdc : chain.contracts.outcomeToken,
    tokenId: token.tokenId ?? 0n,
    amountMicros: withdrawMicros,
    to: destination,
    ...by,
  };
}

/**
 * Returns the typed data that the owner signs to withdraw, independent of any permission, and the
 * request that the signature completes. Stores nothing.
 * @throws {ServiceError} unsupported_token, quantity_not_allowed, receiver_not_allowed,
 *   deadline_not_allowed
 */
export async function prepareWithdrawal(
  deps: OrderDeps,
  input: { owner: Address; body: PrepareWithdrawalRequest },
): Promise<WithdrawalToSignResponse> {
  const { body } = input;
  const withdrawal = await readWithdrawal(deps, input.owner, body);
  const deadline = body.deadline ?? Math.floor(Date.now() / 1_000) + USUAL_DEADLINE_SECONDS;
  requireDeadline(deadline);
  const clientId = body.clientId ?? randomUUID();
  const by = { clientId, deadlineSeconds: deadline };
  return {
    typedData: withdrawalTypedData(signedPartOf(deps.chain, withdrawal, by)),
    withdrawal: { ...body, clientId, deadline },
  };
}

/**
 * Creates a withdrawal from the signed-in wallet's smart account.
 * @throws {ServiceError} unsupported_token, quantity_not_allowed, receiver_not_allowed,
 *   client_id_conflict, deadline_not_allowed, withdrawal_signature_invalid, chain_unavailable
 */
export async function createWithdrawal(
  deps: OrderDeps & SignatureDeps,
  input: { apiKeyId: string; owner: Address; body: WithdrawRequest },
): Promise<WithdrawalIntent> {
  const { apiKeyId, body } = input;
  const withdrawal = await readWithdrawal(deps, input.owner, body);
  const { owner, account, token, destination } = withdrawal;
  await storeAccount(deps, { owner, account });
  const requestHash = hashRequest({ kind: 'withdrawal', owner, ...body, clientId: undefined });
  const signed = await readSignature(deps, withdrawal, { apiKeyId, requestHash, body });
  const id = signed?.id ?? randomUUID();
  const { amount, tokenType, tokenAddress, tokenId } = body;
  const published = { destinationAddress: destination, amount, tokenType, tokenAddress };
  const row = await storeOnce(deps, {
    id,
    accountId: account,
    ownerAddress: owner,
    userAddress: owner,
    apiKeyId,
    clientId: body.clientId ?? id,
    requestHash,
    kind: 'withdrawal',
    stage: 'withdraw',
    ticker: token.ticker,
    side: token.side,
    withdrawToken: tokenType,
    withdrawTokenId: token.tokenId?.toString() ?? null,
    withdrawMicros: withdrawal.withdrawMicros,
    destinationAddress: destination,
    withdrawSignature: signed?.signature ?? null,
    expiresAt: signed?.expiresAt ?? null,
    action: {
      orderType: 'Withdraw',
      chainId: deps.chain.id,
      withdrawal: { ...published, ...(tokenId !== undefined && { tokenId }) },
    },
  });
  return serializeWithdrawalIntent(row);
}

/**
 * The owner's signature in the form that the account verifies. A repeated request gets its first
 * response even if its deadline has passed since.
 */
async function readSignature(
  deps: OrderDeps & SignatureDeps,
  withdrawal: ReadWithdrawal,
  request: { apiKeyId: string; requestHash: string; body: WithdrawRequest },
): Promise<{ id: string; signature: Hex; expiresAt: Date } | undefined> {
  const { signature, clientId, deadline } = request.body;
  if (signature === undefined || clientId === undefined || deadline === undefined) return undefined;
  const id = signedWithdrawalId(withdrawal.account, clientId);
  const expiresAt = new Date(deadline * 1_000);
  const { owner } = withdrawal;
  const own = { apiKeyId: request.apiKeyId, clientId, owner, anonymous: false };
  const known = await findByClientId(deps.database, own);
  if (known?.requestHash === request.requestHash) {
    return { id, signature: signature as Hex, expiresAt };
  }
  requireDeadline(deadline);
  const toSign = signedPartOf(deps.chain, withdrawal, { clientId, deadlineSeconds: deadline });
  const given = { owner, toSign, signature: signature as Hex };
  return { id, expiresAt, signature: await checkSignature(deps, given) };
}

function refuse(
  code: 'unsupported_token' | 'quantity_not_allowed' | 'receiver_not_allowed',
  pointer: string,
  detail: string,
): ServiceError {
  const errors: FieldProblem[] = [{ pointer, detail }];
  return new ServiceError(code, `${pointer.slice(1)} ${detail}. No funds moved.`, { errors });
}

function readDestination(body: WithdrawalBody, account: Address): Address {
  const destination = getAddress(body.destinationAddress.toLowerCase());
  if ([zeroAddress, account].some((address) => isAddressEqual(address, destination))) {
    throw refuse(
      'receiver_not_allowed',
      '/destinationAddress',
      'must not be zero or the account itself',
    );
  }
  return destination;
}

async function readToken(
  deps: OrderDeps,
  body: WithdrawalBody,
): Promise<{ ticker: string | null; side: 'yes' | 'no' | null; tokenId: bigint | undefined }> {
  const address = getAddress(body.tokenAddress.toLowerCase());
  const { usdc, outcomeToken } = deps.chain.contracts;
  if (body.tokenType === 'erc20') {
    if (!isAddressEqual(address, usdc)) {
      throw refuse('unsupported_token', '/tokenAddress', `must be USDC, ${usdc}`);
    }
    return { ticker: null, side: null, tokenId: undefined };
  }
  if (!isAddressEqual(address, outcomeToken)) {
    throw refuse('unsupported_token', '/tokenAddress', `must be ${outcomeToken}`);
  }
  const tokenId = parseTokenId(body.tokenId ?? '');
  const outcome = tokenId === undefined ? undefined : await findOutcomeByTokenId(deps, tokenId);
  if (tokenId === undefined || !outcome) {
    throw refuse('unsupported_token', '/tokenId', 'is not the id of an outcome token');
  }
  return { ...outcome, tokenId };
}

function readAmount(text: string): bigint {
  try {
    const micros = parseMicros(text);
    if (micros > 0n) return micros;
  } catch (error) {
    if (!(error instanceof MicrosError)) throw error;
    throw refuse('quantity_not_allowed', '/amount', error.message);
  }
  throw refuse('quantity_not_allowed', '/amount', 'must be more than zero');
}

/**
 * Verifies the owner's signature over this withdrawal.
 *
 * @returns the signature to submit on chain; of one that also deploys its wallet (ERC-6492), the
 *   inner signature, because the wallet must be deployed by now, unless it is a passkey's
 * @throws {ServiceError} withdrawal_signature_invalid, chain_unavailable
 */
async function checkSignature(
  deps: SignatureDeps,
  given: { owner: Address; toSign: WithdrawalToSign; signature: Hex },
): Promise<Hex> {
  const { chain } = deps;
  const { owner } = given;
  const refuseSignature = (message: string, detail: string) =>
    new ServiceError('withdrawal_signature_invalid', message, {
      errors: [{ pointer: '/signature', detail }],
    });
  const isPasskey = readPasskeySignature(chain.contracts, given.signature) !== undefined;
  const isWrapped = !isPasskey && isErc6492Signature(given.signature);
  const signature = isWrapped ? parseErc6492Signature(given.signature).signature : given.signature;
  if (isWrapped && !(await fromChain(() => isDeployed(chain, owner)))) {
    throw refuseSignature(
      'Your smart wallet is not deployed, so its signature cannot be verified. Deploy it first. No funds moved.',
      'is by a wallet that is not deployed',
    );
  }
  const typedData = withdrawalToHash(given.toSign);
  if (await verifyWalletTypedData(deps, { address: owner, typedData, signature })) return signature;
  throw refuseSignature(
    'The signature is not the account owner’s for this withdrawal. Sign what POST /v1/order/withdraw/typed-data returns. No funds moved.',
    'is not the owner’s for this withdrawal',
  );
}

/** @throws {ServiceError} deadline_not_allowed */
function requireDeadline(deadline: number): void {
  const secondsAhead = deadline - Date.now() / 1_000;
  if (secondsAhead >= MIN_DEADLINE_SECONDS && secondsAhead <= MAX_DEADLINE_SECONDS) return;
  throw new ServiceError(
    'deadline_not_allowed',
    'The deadline must be 30 seconds to 24 hours from now. No funds moved.',
    { errors: [{ pointer: '/deadline', detail: 'must be 30 seconds to 24 hours from now' }] },
  );
}
