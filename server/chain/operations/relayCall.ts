import {
  type Address,
  BaseError,
  ExecutionRevertedError,
  type Hex,
  MethodNotFoundRpcError,
  MethodNotSupportedRpcError,
  padHex,
  parseAbi,
  parseSignature,
  type TransactionReceipt,
  toEventSelector,
} from 'viem';
import { passkeyWalletAbi } from '#contracts/abi/passkeyWallet.ts';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { tradingAccountFactoryAbi } from '#contracts/abi/tradingAccountFactory.ts';
import { encodeCall } from '#contracts/encodeCall.ts';
import type { BatchMessage } from '#lib/relay/batchToSign.ts';
import { type DepositMessage, signedTransferArgs } from '#lib/relay/depositToSign.ts';
import type { PermitMessage } from '#lib/relay/permitToSign.ts';
import { accountOf, type Chain, type Contracts, isDeployed } from '../client.ts';
import { errorName } from '../vaultLogs.ts';
import { searchedFrom } from './effects.ts';
import type { EncodedCall } from './encode.ts';
import { encodeSigned } from './passkeyWallet.ts';
import type { ChainOperation } from './store.ts';

/** An owner's signed message, as the operation that sends it stores it. */
export type RelayCall = {
  owner: Address;
  account: Address;
  signature: Hex;
  /** The hash that was signed: one message is one relay. */
  digest: Hex;
} & (
  | { type: 'batch' | 'walletBatch'; message: BatchMessage }
  | { type: 'deposit'; message: DepositMessage }
  | { type: 'permit'; message: PermitMessage }
);

/** Why a message has no effect. */
export type RelayFailure = 'expired' | 'already_used' | 'refused';

const usdcAbi = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function nonces(address holder) view returns (uint256)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
]);
const AUTHORISATION_USED = toEventSelector(usdcAbi[0]);
const BATCH_EXECUTED = toEventSelector('BatchExecuted(uint64,bytes32)');
const PERMIT_DEPOSITED = toEventSelector('PermitDeposited(address,uint256,uint256)');

/** Of a batch beyond what its calls get: the deployment, and a smart wallet's signature check. */
const BATCH_OVERHEAD = 600_000n;
const DEPOSIT_GAS = 200_000n;

export function relayCallOf(operation: Pick<ChainOperation, 'args'>): RelayCall {
  return (operation.args as { relay: RelayCall }).relay;
}

/**
 * A batch goes through its factory, which deploys the account, or the
 * passkey's wallet, if needed: one that a fork has removed would take a direct call without any effect.
 */
export function encodeRelay(contracts: Contracts, relay: RelayCall): EncodedCall {
  const { accountFactory, usdc } = contracts;
  const { owner } = relay;
  if (isBatch(relay)) {
    const { calls, gas, nonce, deadline } = relay.message;
    const batch = {
      calls: calls.map(({ to, value, data }) => ({
        to: to as Address,
        value: BigInt(value),
        data: data as Hex,
      })),
      gas: BigInt(gas),
      nonce: BigInt(nonce),
      deadline: BigInt(deadline),
    };
    return encodeSigned(contracts, relay.signature, (signature) => {
      if (relay.type === 'walletBatch') {
        const data = encodeCall(passkeyWalletAbi, 'executeWithSig', [batch, signature]);
        return { to: owner, data, gas: BigInt(gas) + BATCH_OVERHEAD };
      }
      const args = [owner, batch, signature] as const;
      const data = encodeCall(tradingAccountFactoryAbi, 'createAndExecute', args);
      return { to: accountFactory, data, gas: BigInt(gas) + BATCH_OVERHEAD };
    });
  }
  if (relay.type === 'permit') {
    const { value, deadline } = relay.message;
    const { r, s, yParity } = parseSignature(relay.signature);
    const args = [owner, BigInt(value), BigInt(deadline), yParity + 27, r, s] as const;
    const data = encodeCall(tradingAccountFactoryAbi, 'depositWithPermit', args);
    return { to: accountFactory, data, gas: DEPOSIT_GAS };
  }
  const args = signedTransferArgs(relay.message, relay.signature);
  const data = encodeCall(usdcAbi, 'transferWithAuthorization', args);
  return { to: usdc, data, gas: DEPOSIT_GAS };
}

/** Unix seconds after which the message has no effect. */
export function endOf({ message }: Pick<RelayCall, 'message'>): number {
  return Number('deadline' in message ? message.deadline : message.validBefore);
}

/** Clocks differ: a message counts as over only after this. */
const CLOCK_SKEW_SECONDS = 60;

/** Whether the message can have no effect any more, by this machine's clock. */
export function isRelayOver(relay: RelayCall, now = Date.now()): boolean {
  return now / 1_000 > endOf(relay) + CLOCK_SKEW_SECONDS;
}

type Simulated = { gasUsed: bigint } | { failure: RelayFailure; errorName: string };

/** What the message would do now. */
export async function simulateRelay(chain: Chain, relay: RelayCall): Promise<Simulated> {
  const call = encodeRelay(chain.contracts, relay);
  const result = await simulate(chain, call);
  if ('gasUsed' in result) return result;
  return { failure: await findFailure(chain, relay), errorName: result.errorName };
}

/** Any sender will do; this one has no code and no role. */
const SENDER: Address = '0x0000000000000000000000000000000000000001';

async function simulate(
  { client }: Chain,
  call: EncodedCall,
): Promise<{ gasUsed: bigint } | { errorName: string }> {
  try {
    const [block] = await client.simulateBlocks({
      blocks: [{ calls: [{ ...call, account: SENDER }] }],
    });
    const result = block?.calls[0];
    if (result?.status === 'success') return { gasUsed: result.gasUsed };
    return { errorName: errorName(result?.data ?? '0x') };
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    return await simulateWithoutGas(client, call);
  }
}

/** For a node that does not say what a call would use: it counts with its whole limit. */
async function simulateWithoutGas(client: Chain['client'], call: EncodedCall) {
  try {
    await client.call({ ...call, account: SENDER });
    return { gasUsed: call.gas };
  } catch (error) {
    if (!isCausedBy(error, (cause) => cause instanceof ExecutionRevertedError)) throw error;
    return { errorName: 'execution_reverted' };
  }
}

function isUnsupported(error: unknown): boolean {
  return isCausedBy(
    error,
    (cause) =>
      cause instanceof MethodNotFoundRpcError || cause instanceof MethodNotSupportedRpcError,
  );
}

function isCausedBy(error: unknown, isCause: (cause: unknown) => boolean): boolean {
  return error instanceof BaseError && error.walk(isCause) !== null;
}

/** By the chain's clock and nonces: tokens word their errors differently. */
async function findFailure(chain: Chain, relay: RelayCall): Promise<RelayFailure> {
  const { timestamp } = await chain.client.getBlock();
  if (isBatch(relay)) {
    if (timestamp > BigInt(relay.message.deadline)) return 'expired';
    const next = await readBatchNonce(chain, executorOf(relay));
    return next > BigInt(relay.message.nonce) ? 'already_used' : 'refused';
  }
  if (relay.type === 'permit') {
    if (timestamp > BigInt(relay.message.deadline)) return 'expired';
    const next = await readPermitNonce(chain, relay.owner);
    return next > BigInt(relay.message.nonce) ? 'already_used' : 'refused';
  }
  if (timestamp >= BigInt(relay.message.validBefore)) return 'expired';
  return (await isAuthorisationUsed(chain, relay)) ? 'already_used' : 'refused';
}

type RelayedBatch = Extract<RelayCall, { type: 'batch' | 'walletBatch' }>;

export function isBatch(relay: RelayCall): relay is RelayedBatch {
  return relay.type === 'batch' || relay.type === 'walletBatch';
}

/** What makes the calls of a batch: the account, or the passkey's wallet, with the same functions. */
function executorOf({ type, owner, account }: RelayCall): Address {
  return type === 'walletBatch' ? owner : account;
}

/** The nonce that the next batch of an account, or of a passkey's wallet, must carry. */
export async function readBatchNonce(chain: Chain, executor: Address): Promise<bigint> {
  if (!(await isDeployed(chain, executor))) return 0n;
  return await accountOf(chain, executor).read.batchNonce();
}

/** The nonce that a wallet's next permit of USDC must carry. */
export async function readPermitNonce(
  { client, contracts }: Chain,
  owner: Address,
): Promise<bigint> {
  return await client.readContract({
    address: contracts.usdc,
    abi: usdcAbi,
    functionName: 'nonces',
    args: [owner],
  });
}

async function isAuthorisationUsed(
  { client, contracts }: Chain,
  { owner, message }: Extract<RelayCall, { type: 'deposit' }>,
): Promise<boolean> {
  return await client.readContract({
    address: contracts.usdc,
    abi: usdcAbi,
    functionName: 'authorizationState',
    args: [owner, message.nonce as Hex],
  });
}

/** Whether a receipt shows the message's effect. */
export function isRelayLogged(
  contracts: Contracts,
  relay: RelayCall,
  receipt: TransactionReceipt,
): boolean {
  const [emitter, selector, value] = effectOf(contracts, relay);
  return receipt.logs.some(
    ({ address, topics }) =>
      address.toLowerCase() === emitter.toLowerCase() &&
      topics[0] === selector &&
      topics.at(-1) === value.toLowerCase(),
  );
}

/** Who logs a message's effect, with which event, and its last topic. */
function effectOf({ usdc, accountFactory }: Contracts, relay: RelayCall): [Address, Hex, Hex] {
  switch (relay.type) {
    case 'batch':
    case 'walletBatch':
      return [executorOf(relay), BATCH_EXECUTED, relay.digest];
    case 'deposit':
      return [usdc, AUTHORISATION_USED, relay.message.nonce as Hex];
    case 'permit':
      return [accountFactory, PERMIT_DEPOSITED, padHex(relay.owner, { size: 32 })];
  }
}

/**
 * The transaction with the message's effect, whoever sent it; undefined if it had none. Messages
 * last an hour, so the log of an effect is recent.
 */
export async function findRelayed(chain: Chain, relay: RelayCall): Promise<Hex | undefined> {
  const { client, contracts } = chain;
  const fromBlock = await searchedFrom(chain);
  if (relay.type === 'permit') return await findPermitDeposit(chain, relay, fromBlock);
  const logs =
    relay.type === 'deposit'
      ? await client.getContractEvents({
          address: contracts.usdc,
          abi: usdcAbi,
          eventName: 'AuthorizationUsed',
          args: { authorizer: relay.owner, nonce: relay.message.nonce as Hex },
          fromBlock,
        })
      : await client.getContractEvents({
          address: executorOf(relay),
          abi: tradingAccountAbi,
          eventName: 'BatchExecuted',
          args: { digest: relay.digest },
          fromBlock,
        });
  return logs[0]?.transactionHash ?? undefined;
}

/** The first deposit of this amount after USDC took the permit. */
async function findPermitDeposit(
  { client, contracts }: Chain,
  { owner, message }: Extract<RelayCall, { type: 'permit' }>,
  fromBlock: bigint,
): Promise<Hex | undefined> {
  const logs = await client.getContractEvents({
    address: contracts.accountFactory,
    abi: tradingAccountFactoryAbi,
    eventName: 'PermitDeposited',
    args: { owner },
    fromBlock,
    strict: true,
  });
  const { value, nonce } = message;
  const found = logs.find(
    ({ args }) => args.amount === BigInt(value) && args.permits > BigInt(nonce),
  );
  return found?.transactionHash ?? undefined;
}
