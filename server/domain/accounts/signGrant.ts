import { LRUCache } from 'lru-cache';
import { type Address, getAddress, type Hex, isAddressEqual, keccak256, stringToBytes } from 'viem';
import { accountDomain, DOMAIN_FIELDS } from '#lib/account/accountDomain.ts';
import { DEFAULT_LIMITS } from '#lib/account/defaultLimits.ts';
import { NO_SESSION_KEY, namesSessionKey } from '#lib/account/sessionKey.ts';
import type { GrantMessage, GrantQuery, GrantToSign } from '#lib/api/schemas/account.ts';
import { MAX_MICROS, parseMicros } from '#lib/money.ts';
import { type AccountGrant, readAccountState } from '../../chain/accountReads.ts';
import { readPasskeySignature } from '../../chain/operations/passkeyWallet.ts';
import type { Database } from '../../platform/database/client.ts';
import { type FieldProblem, ServiceError } from '../../platform/errors.ts';
import { memoizeByObject } from '../../platform/memoizeByObject.ts';
import { type SignatureDeps, verifyWalletTypedData } from '../auth/walletSignature.ts';
import {
  type AccountDeps,
  type AccountIdentity,
  fromChain,
  resolveAccount,
  storeAccount,
} from './accounts.ts';
import { currentGrant, getRecordedGrant, storeGrant } from './grants.ts';
import { requireNotServiceAddress } from './serviceAddresses.ts';
import { readSessionKey } from './sessionKey.ts';

const DEFAULT_VALIDITY_SECONDS = 30 * 24 * 3600;
const MAX_VALIDITY_SECONDS = 366 * 24 * 3600;

/** The suffix of ERC-6492 signatures; the service deploys only the wallets of passkeys. */
const ERC6492_SUFFIX = '6492649264926492649264926492649264926492649264926492649264926492';

const hashOf = (message: GrantMessage): string =>
  keccak256(stringToBytes(JSON.stringify(toGrantMessage(fromGrantMessage(message)))));

function capOf(
  name: 'maxPerOrder' | 'maxPerDay' | 'maxWithdrawPerDay',
  query: GrantQuery,
  standard: bigint,
): bigint {
  const text = query[name];
  if (text === undefined) return standard;
  try {
    return parseMicros(text);
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : 'is not an amount';
    throw new ServiceError('invalid_request', 'One field must be changed.', {
      errors: [{ pointer: `/query/${name}`, detail }],
    });
  }
}

type Limits = Omit<AccountGrant, 'operator' | 'validUntil' | 'nonce'>;

/** The requested caps, else the previous ones, so that a renewal widens nothing. */
function limitsFor(query: GrantQuery, before: AccountGrant | undefined): Limits {
  const standard = (name: keyof typeof DEFAULT_LIMITS) => parseMicros(DEFAULT_LIMITS[name]);
  const { keyKind, key } =
    query.sessionKey === undefined ? (before ?? NO_SESSION_KEY) : readSessionKey(query.sessionKey);
  const hasKey = namesSessionKey({ keyKind });
  if (hasKey && BigInt(key) === 0n) throw keyIsGone();
  if (hasKey && query.withdrawAnywhere === 'true') throw keyForbidsWithdrawals();
  const withdrawAnywhere =
    query.withdrawAnywhere === undefined
      ? !hasKey && (before?.withdrawAnywhere ?? false)
      : query.withdrawAnywhere === 'true';
  const withdrawBefore = before?.withdrawAnywhere ? before.maxWithdrawPerDay : undefined;
  return {
    keyKind,
    key,
    withdrawAnywhere,
    maxPerOrder: capOf('maxPerOrder', query, before?.maxPerOrder ?? standard('maxPerOrder')),
    maxPerDay: capOf('maxPerDay', query, before?.maxPerDay ?? standard('maxPerDay')),
    maxWithdrawPerDay: capOf(
      'maxWithdrawPerDay',
      query,
      withdrawAnywhere ? (withdrawBefore ?? standard('maxWithdrawPerDay')) : 0n,
    ),
  };
}

/** A renewal cannot keep the key that the owner removed. */
function keyIsGone(): ServiceError {
  const detail = 'is required, because the owner removed the key that the permission named';
  return new ServiceError('invalid_request', 'One field must be changed.', {
    errors: [{ pointer: '/query/sessionKey', detail }],
  });
}

function keyForbidsWithdrawals(): ServiceError {
  const detail = 'is not possible with a session key; pass sessionKey=none';
  return new ServiceError('invalid_request', 'One field must be changed.', {
    errors: [{ pointer: '/query/withdrawAnywhere', detail }],
  });
}

/** The next grant for this owner to sign: as before, the standard one, or as requested. */
export async function prepareGrant(deps: AccountDeps, query: GrantQuery): Promise<GrantToSign> {
  const { owner, account } = await resolveAccount(deps, query.address);
  const [state, recorded] = await Promise.all([
    fromChain(() => readAccountState(deps.chain, account)),
    getRecordedGrant(deps, account),
  ]);
  const validForSeconds = query.validForSeconds ?? DEFAULT_VALIDITY_SECONDS;
  const grant: AccountGrant = {
    ...limitsFor(query, currentGrant(state, recorded)?.grant),
    operator: deps.chain.contracts.swapVault,
    validUntil: BigInt(Math.floor(Date.now() / 1000) + validForSeconds),
    nonce: state.nextGrantNonce,
  };
  const toSign = grantToSign(deps.chain.id, account, grant);
  recordOffer(deps.database, hashOf(toSign.typedData.message), { owner, account });
  return toSign;
}

/** The signed message does not name the account, so it is found where the grant was offered. */
async function candidatesOf(
  deps: AccountDeps,
  message: GrantMessage,
  address: string | undefined,
): Promise<AccountIdentity[]> {
  if (address !== undefined) return [await resolveAccount(deps, address)];
  return findOffered(deps.database, hashOf(message));
}

function termProblems(grant: AccountGrant, swapVault: Address): FieldProblem[] {
  const nowSeconds = BigInt(Math.floor(Date.now() / 1000));
  const problems: FieldProblem[] = [];
  const expect = (fine: boolean, field: keyof AccountGrant, detail: string) => {
    if (!fine) problems.push({ pointer: `/grant/${field}`, detail });
  };
  expect(isAddressEqual(grant.operator, swapVault), 'operator', `must be the vault, ${swapVault}`);
  expect(grant.validUntil > nowSeconds + 60n, 'validUntil', 'must be in the future');
  expect(
    grant.validUntil <= nowSeconds + BigInt(MAX_VALIDITY_SECONDS),
    'validUntil',
    'must be within one year',
  );
  for (const field of ['maxPerOrder', 'maxPerDay', 'maxWithdrawPerDay', 'nonce'] as const) {
    expect(grant[field] <= MAX_MICROS, field, 'is too large');
  }
  const hasKey = namesSessionKey(grant);
  expect(hasKey === (BigInt(grant.key) !== 0n), 'key', 'must go with its kind');
  expect(!(hasKey && grant.withdrawAnywhere), 'withdrawAnywhere', 'must be false with a key');
  return problems;
}

/**
 * Records the owner's grant after verifying its signature. It goes on chain together with the first
 * order that needs it.
 *
 * @throws {ServiceError} `grant_invalid`, `address_not_allowed`, `chain_unavailable`
 */
export async function recordGrant(
  deps: AccountDeps & SignatureDeps,
  input: { address: string | undefined; message: GrantMessage; signature: Hex },
): Promise<AccountIdentity & { grant: AccountGrant }> {
  const { message, signature } = input;
  const grant = {
    ...fromGrantMessage(message),
    operator: getAddress(message.operator),
  };
  const problems = termProblems(grant, deps.chain.contracts.swapVault);
  if (problems.length > 0) {
    throw new ServiceError('grant_invalid', 'This trading permission is not valid.', {
      errors: problems,
    });
  }
  const identity = await findSigner(deps, await candidatesOf(deps, message, input.address), {
    grant,
    signature,
  });
  if (!identity) {
    throw new ServiceError(
      'grant_invalid',
      'The signature is not by the account owner. Nothing was recorded. Sign what ' +
        'GET /v1/account/grant returns, and send the same `address`.',
      { errors: [{ pointer: '/signature', detail: 'is not by the account owner' }] },
    );
  }
  await requireNotServiceAddress(deps, { '/address': identity.owner });
  await storeAccount(deps, identity);
  const state = await fromChain(() => readAccountState(deps.chain, identity.account));
  const fresh = grant.nonce === state.nextGrantNonce;
  if (!fresh || !(await storeGrant(deps, identity.account, grant, signature))) {
    throw new ServiceError(
      'grant_invalid',
      'This trading permission was already used. Request a new one.',
      {
        errors: [{ pointer: '/grant/nonce', detail: `must be ${state.nextGrantNonce}` }],
      },
    );
  }
  return { ...identity, grant };
}

async function findSigner(
  deps: SignatureDeps,
  candidates: AccountIdentity[],
  signed: { grant: AccountGrant; signature: Hex },
): Promise<AccountIdentity | undefined> {
  const isWrapped = signed.signature.endsWith(ERC6492_SUFFIX);
  if (isWrapped && !readPasskeySignature(deps.chain.contracts, signed.signature)) return undefined;
  for (const identity of candidates) {
    const isSigner = await verifyWalletTypedData(deps, {
      address: identity.owner,
      typedData: grantTypedData(deps.chain.id, identity.account, signed.grant),
      signature: signed.signature,
    });
    if (isSigner) return identity;
  }
  return undefined;
}

/** The struct of contracts/src/TradingAccount.sol that owners sign. */
const GRANT_FIELDS = [
  { name: 'operator', type: 'address' },
  { name: 'validUntil', type: 'uint48' },
  { name: 'withdrawAnywhere', type: 'bool' },
  { name: 'maxPerOrder', type: 'uint64' },
  { name: 'maxPerDay', type: 'uint64' },
  { name: 'maxWithdrawPerDay', type: 'uint64' },
  { name: 'nonce', type: 'uint64' },
  { name: 'keyKind', type: 'uint8' },
  { name: 'key', type: 'bytes32' },
] as const;

/** The grant with its numbers as strings, as JSON carries it. */
function toGrantMessage(grant: AccountGrant): GrantMessage {
  return {
    operator: grant.operator,
    validUntil: grant.validUntil.toString(),
    withdrawAnywhere: grant.withdrawAnywhere,
    maxPerOrder: grant.maxPerOrder.toString(),
    maxPerDay: grant.maxPerDay.toString(),
    maxWithdrawPerDay: grant.maxWithdrawPerDay.toString(),
    nonce: grant.nonce.toString(),
    keyKind: grant.keyKind,
    key: grant.key,
  };
}

function fromGrantMessage(message: GrantMessage): AccountGrant {
  return {
    operator: message.operator as Address,
    validUntil: BigInt(message.validUntil),
    withdrawAnywhere: message.withdrawAnywhere,
    maxPerOrder: BigInt(message.maxPerOrder),
    maxPerDay: BigInt(message.maxPerDay),
    maxWithdrawPerDay: BigInt(message.maxWithdrawPerDay),
    nonce: BigInt(message.nonce),
    keyKind: message.keyKind,
    key: message.key as Hex,
  };
}

/** EIP-712 data in the form of `eth_signTypedData_v4`. */
function grantToSign(chainId: number, account: Address, grant: AccountGrant): GrantToSign {
  return {
    typedData: {
      domain: accountDomain(chainId, account),
      types: { EIP712Domain: [...DOMAIN_FIELDS], Grant: [...GRANT_FIELDS] },
      primaryType: 'Grant',
      message: toGrantMessage(grant),
    },
  };
}

/** What the owner signs, in viem's form. */
export function grantTypedData(chainId: number, account: Address, grant: AccountGrant) {
  return {
    domain: accountDomain(chainId, account),
    types: { Grant: GRANT_FIELDS },
    primaryType: 'Grant',
    message: { ...grant, validUntil: Number(grant.validUntil) },
  } as const;
}

/**
 * The accounts each grant was offered to, so that a signed message need not name its account.
 * Bounded and in memory, since any caller may request any account's: a caller that names the
 * address, or is signed in, does not depend on it.
 */
const MOST_MESSAGES = 10_000;
/** Accounts with identical messages, because they were requested in the same second. */
const MOST_OF_ONE_MESSAGE = 64;

const offersOf = memoizeByObject(
  (_database: Database) => new LRUCache<string, AccountIdentity[]>({ max: MOST_MESSAGES }),
);

function recordOffer(database: Database, hash: string, identity: AccountIdentity): void {
  const others = findOffered(database, hash).filter(({ account }) => account !== identity.account);
  offersOf(database).set(hash, [...others, identity].slice(-MOST_OF_ONE_MESSAGE));
}

function findOffered(database: Database, hash: string): AccountIdentity[] {
  return offersOf(database).get(hash) ?? [];
}
