import {
  type Address,
  concatHex,
  getAddress,
  type Hex,
  hashTypedData,
  isErc6492Signature,
  keccak256,
  parseErc6492Signature,
  type TypedDataDefinition,
} from 'viem';
import type { Relay, RelayRequest, RelayTerms } from '#lib/api/schemas/relay.ts';
import { formatMicros } from '#lib/money.ts';
import { passkeyWalletAddress } from '#lib/passkey/passkeyWallet.ts';
import {
  batchTypedData,
  MAX_BATCH_GAS,
  MAX_BATCH_SECONDS,
  MIN_BATCH_SECONDS,
  walletBatchTypedData,
} from '#lib/relay/batchToSign.ts';
import { depositTypedData, MIN_DEPOSIT_MICROS } from '#lib/relay/depositToSign.ts';
import { permitTypedData } from '#lib/relay/permitToSign.ts';
import { uuidOfHash } from '#lib/uuidOfHash.ts';
import type { Chain } from '#server/chain/client.ts';
import { readDataFee } from '#server/chain/dataFee.ts';
import { findLatestOperation, type Operation } from '#server/chain/operations/latest.ts';
import { readPasskeySignature } from '#server/chain/operations/passkeyWallet.ts';
import {
  encodeRelay,
  endOf,
  findRelayed,
  isBatch,
  isRelayOver,
  type RelayCall,
  readBatchNonce,
  readPermitNonce,
  relayCallOf,
  simulateRelay,
} from '#server/chain/operations/relayCall.ts';
import { addOperations } from '#server/chain/operations/store.ts';
import type { Database } from '#server/platform/database/client.ts';
import { type FieldProblem, ServiceError } from '#server/platform/errors.ts';
import {
  type AccountIdentity,
  fromChain,
  resolveAccount,
  storeAccount,
} from '../accounts/accounts.ts';
import { requireNotServiceAddress } from '../accounts/serviceAddresses.ts';
import { isOfForeignSite } from '../auth/passkeyOrigin.ts';
import { verifyWalletTypedData } from '../auth/walletSignature.ts';
import { depositInBatch, findForbiddenCalls } from './allowedCalls.ts';
import { mayDeploy } from './mayDeploy.ts';
import { type RelayLimits, readRelayBudget, spendRelayBudget } from './relayBudget.ts';
import { type RelayFee, relayFeeOf } from './relayFee.ts';

export type RelayConfig = RelayLimits & {
  /** The price of ether at which fees count, in micro-dollars. */
  etherUsdMicros: bigint;
};

export type RelayDeps = {
  database: Database;
  chain: Chain;
  config: { relay: RelayConfig | undefined; publicBaseUrl: string };
};

/** Fees may rise between a simulation and the block. */
const FEE_PER_HUNDRED = 130n;
/** The signature of a plain wallet, in hex. */
const ECDSA_LENGTH = 132;

/**
 * Takes an owner's signed message, to be sent by the service at its own cost. One message is one
 * relay: sent again it returns the first one. The signature is the authority, so no token is
 * needed.
 * @throws {ServiceError} relay_refused, relay_limit_reached, address_not_allowed,
 *   chain_unavailable
 */
export async function createRelay(deps: RelayDeps, request: RelayRequest): Promise<Relay> {
  const { database, chain } = deps;
  await requireNotServiceAddress(deps, { '/address': request.address });
  const identity = await resolveAccount(deps, request.address);
  const { relay, typedData } = readRequest(chain, identity, request);
  const id = relayIdOf(relay.digest);
  const known = await findLatestOperation(database.orm, id, 'relay');
  if (known) return await serialize(chain, known);
  refuseIf(findProblems(chain, relay));
  const feeUsdMicros = await fromChain(async () => {
    await requireSignature(deps, relay, typedData, request.signature as Hex);
    await requireDeposited(chain, relay);
    return await estimateFee(deps, relay);
  });
  await storeAccount(deps, identity);
  return await serialize(chain, await storeOnce(deps, id, relay, feeUsdMicros));
}

/** @throws {ServiceError} relay_not_found */
export async function getRelay(deps: RelayDeps, id: string): Promise<Relay> {
  const found = isUuid(id) && (await findLatestOperation(deps.database.orm, id, 'relay'));
  if (found) return await serialize(deps.chain, found);
  throw new ServiceError('relay_not_found', 'No relayed message has this id.');
}

/** What the service would send for a wallet now. Stores nothing. */
export async function readRelayTerms(deps: RelayDeps, address: string): Promise<RelayTerms> {
  const { database, chain } = deps;
  const { owner, account } = await resolveAccount(deps, address);
  const [nonce, permitNonce, isAccepted, remaining] = await Promise.all([
    fromChain(() => readBatchNonce(chain, account)),
    fromChain(() => readPermitNonce(chain, owner)),
    fromChain(() => mayDeploy(chain, { type: 'batch', owner, account })),
    readRelayBudget(database.orm, configOf(deps), account),
  ]);
  return {
    account,
    batch: { nonce: nonce.toString(), isAccepted },
    permit: { nonce: permitNonce.toString(), spender: chain.contracts.accountFactory },
    minimumDeposit: formatMicros(MIN_DEPOSIT_MICROS),
    remainingToday: {
      messages: remaining.messages,
      usd: formatMicros(remaining.usdMicros),
    },
    networkFee: 'paid_by_service',
  };
}

/** The routes exist only where the service relays. */
function configOf({ config: { relay } }: RelayDeps): RelayConfig {
  if (!relay) throw new Error('the relay is not configured');
  return relay;
}

/**
 * The signature to send. One that deploys its passkey's wallet keeps that; any other wallet must be
 * deployed by now.
 */
function unwrap(contracts: Chain['contracts'], given: Hex): Hex {
  if (!isErc6492Signature(given) || readPasskeySignature(contracts, given)) return given;
  return parseErc6492Signature(given).signature;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isUuid = (id: string) => UUID.test(id);

function relayIdOf(digest: Hex): string {
  return uuidOfHash(keccak256(digest));
}

function readRequest(
  { id: chainId, contracts }: Chain,
  { owner, account }: AccountIdentity,
  request: RelayRequest,
): { relay: RelayCall; typedData: TypedDataDefinition } {
  const typedData = typedDataOf(request, { chainId, contracts, owner, account });
  const { address: _address, signature: given, ...signed } = request;
  const signature = unwrap(contracts, given as Hex);
  const digest = hashTypedData(typedData);
  return { relay: { ...signed, owner, account, signature, digest }, typedData };
}

function typedDataOf(
  request: RelayRequest,
  {
    chainId,
    contracts: { usdc },
    owner,
    account,
  }: AccountIdentity & { chainId: number; contracts: Chain['contracts'] },
): TypedDataDefinition {
  switch (request.type) {
    case 'batch':
      return batchTypedData(chainId, account, request.message);
    case 'walletBatch':
      return walletBatchTypedData(chainId, owner, request.message);
    case 'deposit':
      return depositTypedData(chainId, usdc, request.message);
    case 'permit':
      return permitTypedData(chainId, usdc, request.message);
  }
}

function refuseIf(errors: FieldProblem[]): void {
  if (errors.length === 0) return;
  throw new ServiceError('relay_refused', 'Crossbook does not send this message. No funds moved.', {
    errors,
  });
}

/** What is wrong with the message itself. */
function findProblems({ contracts }: Chain, relay: RelayCall): FieldProblem[] {
  const { owner, account, message } = relay;
  const problems: FieldProblem[] = [];
  const expect = (isFine: boolean, field: string, detail: string) => {
    if (!isFine) problems.push({ pointer: `/${field}`, detail });
  };
  const secondsAhead = endOf(relay) - Date.now() / 1_000;
  const isInTime = secondsAhead >= MIN_BATCH_SECONDS && secondsAhead <= MAX_BATCH_SECONDS;
  const endField = 'deadline' in message ? 'deadline' : 'validBefore';
  expect(isInTime, `message/${endField}`, 'must be 30 seconds to an hour from now');
  if (isBatch(relay)) {
    const { gas } = relay.message;
    expect(BigInt(gas) <= BigInt(MAX_BATCH_GAS), 'message/gas', `must be at most ${MAX_BATCH_GAS}`);
    expect(
      relay.type === 'batch' || isWrappedFor(contracts, relay),
      'signature',
      'must deploy the passkey’s wallet (ERC-6492)',
    );
    return [...problems, ...findForbiddenCalls(contracts, relay)];
  }
  const expectAddress = (given: string, field: string, expected: Address, what: string) =>
    expect(sameAddress(given, expected), `message/${field}`, `must be the ${what}, ${expected}`);
  if (relay.type === 'permit') {
    expectAddress(relay.message.owner, 'owner', owner, 'owner');
    const { accountFactory } = contracts;
    expectAddress(relay.message.spender, 'spender', accountFactory, 'account factory');
  } else {
    expectAddress(relay.message.from, 'from', owner, 'owner');
    expectAddress(relay.message.to, 'to', account, 'smart account');
  }
  const isEnough = BigInt(relay.message.value) >= MIN_DEPOSIT_MICROS;
  expect(isEnough, 'message/value', `must be at least ${MIN_DEPOSIT_MICROS}`);
  expect(
    relay.signature.length === ECDSA_LENGTH,
    'signature',
    'must be by a plain wallet; a smart wallet sends the transfer itself',
  );
  return problems;
}

/** Whether the signature carries the deployment of this very wallet. */
function isWrappedFor(contracts: Chain['contracts'], { owner, signature }: RelayCall): boolean {
  const signed = readPasskeySignature(contracts, signature);
  return (
    signed !== undefined &&
    passkeyWalletAddress(signed.factory, concatHex([signed.qx, signed.qy])) === owner
  );
}

const sameAddress = (one: string, other: Address) => getAddress(one.toLowerCase()) === other;

async function requireSignature(
  deps: RelayDeps,
  { owner, type }: RelayCall,
  typedData: TypedDataDefinition,
  signature: Hex,
): Promise<void> {
  // The wallet checks its own batches itself, in the simulation; others' hashes it binds first.
  if (type === 'walletBatch' && !isOfForeignSite(signature, deps.config.publicBaseUrl)) return;
  if (await verifyWalletTypedData(deps, { address: owner, typedData, signature })) return;
  refuseIf([{ pointer: '/signature', detail: 'is not the owner’s for this message' }]);
}

async function requireDeposited(chain: Chain, relay: RelayCall): Promise<void> {
  if (await mayDeploy(chain, relay)) return;
  const isDeposit =
    relay.type === 'batch' &&
    depositInBatch(chain.contracts, relay.account, relay.message) >= MIN_DEPOSIT_MICROS;
  // Whether it arrives is simulated next.
  if (isDeposit) return;
  throw new ServiceError(
    'relay_refused',
    'This account is not deployed and holds less than one USDC. Deposit first; Crossbook ' +
      'deploys the account with its first batch. No funds moved.',
    { errors: [{ pointer: '/address', detail: 'has an account without a deposit' }] },
  );
}

/** @throws {ServiceError} relay_refused when the message would have no effect */
async function estimateFee(deps: RelayDeps, relay: RelayCall): Promise<bigint> {
  const { chain } = deps;
  const [simulated, gasPrice, dataFeeWei] = await Promise.all([
    simulateRelay(chain, relay),
    chain.client.getGasPrice(),
    readDataFee(chain, encodeRelay(chain.contracts, relay)),
  ]);
  if ('failure' in simulated) {
    const { failure, errorName } = simulated;
    throw new ServiceError('relay_refused', `${REFUSALS[failure]} No funds moved.`, {
      errors: [{ pointer: '/message', detail: `would revert: ${errorName}` }],
    });
  }
  const wei = simulated.gasUsed * gasPrice + dataFeeWei;
  return relayFeeOf((wei * FEE_PER_HUNDRED) / 100n, configOf(deps).etherUsdMicros);
}

const REFUSALS = {
  expired: 'The time to send this message is over. Sign it again.',
  already_used: 'A message with this nonce was already executed. Sign it again with the next one.',
  refused: 'The network would reject this message.',
} as const;

/**
 * Stores the intention before anything is sent. The budget's row is locked until the commit, so of
 * two equal messages the second finds the first.
 */
async function storeOnce(
  deps: RelayDeps,
  id: string,
  relay: RelayCall,
  feeUsdMicros: bigint,
): Promise<Operation> {
  const { account } = relay;
  const config = configOf(deps);
  const fee: RelayFee = {
    feeUsdMicros: feeUsdMicros.toString(),
    etherUsdMicros: config.etherUsdMicros.toString(),
  };
  return await deps.database.orm.transaction(async (tx) => {
    await spendRelayBudget(tx, config, account, feeUsdMicros);
    const args = { relay, ...fee };
    await addOperations(tx, { id, accountId: account }, [{ kind: 'relay', attempt: 1, args }]);
    const stored = await findLatestOperation(tx, id, 'relay');
    if (!stored) throw new Error(`relay ${id} was not stored`);
    return stored;
  });
}

async function serialize(chain: Chain, operation: Operation): Promise<Relay> {
  const relay = relayCallOf(operation);
  // Anyone may send a signed message; its effect counts, not our transaction.
  const isUnsent = operation.state === 'ready' && isRelayOver(relay);
  const isOver = operation.state === 'failed' || isUnsent;
  const foundHash = isOver ? await fromChain(() => findRelayed(chain, relay)) : undefined;
  const isDone = operation.state === 'succeeded' || foundHash !== undefined;
  const isFailed = isOver && !isDone;
  return {
    id: operation.orderId,
    type: relay.type,
    account: relay.account,
    status: isDone ? 'completed' : isFailed ? 'failed' : 'pending',
    reason: isFailed ? reasonOf(isUnsent ? 'expired' : operation.failure) : null,
    transactionHash: foundHash ?? operation.transactionHash,
    createdAt: operation.createdAt.toISOString(),
  };
}

/** From the name that the processor stored, or that the contract's error has. */
function reasonOf(failure: string | null): NonNullable<Relay['reason']> {
  switch (failure) {
    case 'expired':
    case 'SignatureExpired':
    case 'ERC3009InvalidAuthorizationTime':
    case 'PermitExpired':
      return 'expired';
    case 'already_used':
    case 'BadNonce':
    case 'ERC3009UsedAuthorization':
      return 'already_used';
    default:
      return 'refused';
  }
}
