import { randomUUID } from 'node:crypto';
import { type Address, getAddress, isAddressEqual, zeroAddress } from 'viem';
import type { WithdrawalIntent } from '#lib/api/schemas/order.ts';
import type { WithdrawRequest } from '#lib/api/schemas/withdraw.ts';
import { MicrosError, parseMicros } from '#lib/money.ts';
import { rememberAccount, resolveAccount } from '../accounts/accounts.ts';
import { requireNotOurs } from '../accounts/ownAddresses.ts';
import { type FieldProblem, ServiceError } from '../errors.ts';
import { findOutcomeByTokenId } from '../markets/outcomes.ts';
import type { OrderDeps } from './createOrder.ts';
import { hashRequest, storeIntent } from './intentStore.ts';
import { withdrawalIntentOf } from './record.ts';
import { parseTokenId } from './trade.ts';

/**
 * Takes a withdrawal from the signed-in wallet's smart account.
 * @throws {ServiceError} unsupported_token, quantity_not_allowed, receiver_not_allowed,
 *   client_id_conflict
 */
export async function createWithdrawal(
  deps: OrderDeps,
  input: { apiKeyId: string; owner: Address; body: WithdrawRequest },
): Promise<WithdrawalIntent> {
  const { apiKeyId, body } = input;
  await requireNotOurs(deps, { '/destinationAddress': body.destinationAddress });
  const identity = await resolveAccount(deps, input.owner);
  await rememberAccount(deps, identity);
  const { owner, account } = identity;
  const destination = readDestination(body, account);
  const token = await readToken(deps, body);
  const withdrawMicros = readAmount(body.amount);
  const id = randomUUID();
  const row = await storeIntent(deps, {
    id,
    accountId: account,
    ownerAddress: owner,
    userAddress: owner,
    apiKeyId,
    clientId: body.clientId ?? id,
    requestHash: hashRequest({ kind: 'withdrawal', owner, ...body, clientId: undefined }),
    kind: 'withdrawal',
    stage: 'withdraw',
    ticker: token.ticker,
    side: token.side,
    withdrawToken: body.tokenType,
    withdrawTokenId: token.tokenId?.toString() ?? null,
    withdrawMicros,
    destinationAddress: destination,
    action: {
      orderType: 'Withdraw',
      chainId: deps.chain.id,
      withdrawal: {
        destinationAddress: destination,
        amount: body.amount,
        tokenType: body.tokenType,
        tokenAddress: body.tokenAddress,
        ...(body.tokenId === undefined ? {} : { tokenId: body.tokenId }),
      },
    },
  });
  return withdrawalIntentOf(row);
}

function refuse(
  code: 'unsupported_token' | 'quantity_not_allowed' | 'receiver_not_allowed',
  pointer: string,
  detail: string,
): ServiceError {
  const errors: FieldProblem[] = [{ pointer, detail }];
  return new ServiceError(code, `${pointer.slice(1)} ${detail}. Nothing was moved.`, { errors });
}

function readDestination(body: WithdrawRequest, account: Address): Address {
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
  body: WithdrawRequest,
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
