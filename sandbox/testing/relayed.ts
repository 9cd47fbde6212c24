import { randomBytes } from 'node:crypto';
import {
  type Address,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  type TypedDataDefinition,
} from 'viem';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import type { Relay, RelayRequestInput } from '#lib/api/schemas/relay.ts';
import { base } from '#lib/chains.ts';
import { BATCH_GAS, type BatchMessage, batchTypedData } from '#lib/relay/batchToSign.ts';
import {
  type DepositMessage,
  depositTypedData,
  receiveTypedData,
} from '#lib/relay/depositToSign.ts';
import { type PermitMessage, permitTypedData } from '#lib/relay/permitToSign.ts';
import { receiveCall } from '#lib/relay/receiveCall.ts';
import { pollUntil } from '#sandbox/process/poll.ts';
import type { SandboxDescription } from '#sandbox/stack/description.ts';
import type { Trader } from './trader.ts';

/** What a program does to have a message sent without ether. */

const inMinutes = (minutes: number) => Math.floor(Date.now() / 1_000 + minutes * 60).toString();

export type SignedCall = { to: Address; data: Hex };

/** A signed batch of the account, under its next nonce unless the message says otherwise. */
export async function signBatch(
  { api, wallet, account }: Trader<LocalAccount>,
  calls: SignedCall[],
  changed: Partial<BatchMessage> & { account?: Address; chainId?: number } = {},
): Promise<RelayRequestInput & { type: 'batch' }> {
  const { account: signedFor = account, chainId = base.id, ...fields } = changed;
  const message = {
    calls: calls.map((call) => ({ ...call, value: '0' })),
    gas: BATCH_GAS.toString(),
    nonce: fields.nonce ?? (await api.getRelayTerms(wallet.address)).batch.nonce,
    deadline: inMinutes(10),
    ...fields,
  };
  const typedData: TypedDataDefinition = batchTypedData(chainId, signedFor, message);
  const signature = await wallet.signTypedData(typedData);
  return { type: 'batch', address: wallet.address, message, signature };
}

/** A signed transfer of USDC from the wallet to its account. */
export async function signDeposit(
  { contracts }: Pick<SandboxDescription, 'contracts'>,
  { wallet, account }: Trader,
  usdcMicros: bigint,
  changed: Partial<DepositMessage> = {},
): Promise<RelayRequestInput & { type: 'deposit' }> {
  const message = { ...depositOf(wallet.address, account, usdcMicros), ...changed };
  const typedData: TypedDataDefinition = depositTypedData(base.id, contracts.usdc, message);
  const signature = await wallet.signTypedData(typedData);
  return { type: 'deposit', address: wallet.address, message, signature };
}

function depositOf(from: Address, to: Address, usdcMicros: bigint): DepositMessage {
  return {
    from,
    to,
    value: usdcMicros.toString(),
    validAfter: '0',
    validBefore: inMinutes(10),
    nonce: `0x${randomBytes(32).toString('hex')}`,
  };
}

/** The account's call that takes a signed deposit from its owner's wallet, for a batch. */
export async function signReceiving(
  { contracts }: Pick<SandboxDescription, 'contracts'>,
  { wallet, account }: Trader,
  usdcMicros: bigint,
): Promise<SignedCall> {
  const message = depositOf(wallet.address, account, usdcMicros);
  const typedData: TypedDataDefinition = receiveTypedData(base.id, contracts.usdc, message);
  return receiveCall(contracts.usdc, message, await wallet.signTypedData(typedData));
}

/** A signed permit by which anyone has the wallet's USDC moved to its account. */
export async function signPermit(
  { contracts }: Pick<SandboxDescription, 'contracts'>,
  { api, wallet }: Trader,
  usdcMicros: bigint,
  changed: Partial<PermitMessage> = {},
): Promise<RelayRequestInput & { type: 'permit' }> {
  const { permit } = await api.getRelayTerms(wallet.address);
  const message = {
    owner: wallet.address,
    spender: permit.spender,
    value: usdcMicros.toString(),
    nonce: permit.nonce,
    deadline: inMinutes(10),
    ...changed,
  };
  const typedData: TypedDataDefinition = permitTypedData(base.id, contracts.usdc, message);
  const signature = await wallet.signTypedData(typedData);
  return { type: 'permit', address: wallet.address, message, signature };
}

export function revocationOf({ account }: Pick<Trader, 'account'>): SignedCall {
  return {
    to: account,
    data: encodeFunctionData({ abi: tradingAccountAbi, functionName: 'revoke' }),
  };
}

/** Waits until a relayed message has ended. */
export async function untilRelayed({ api }: Pick<Trader, 'api'>, id: string): Promise<Relay> {
  const ended = await pollUntil(
    async () => {
      const relay = await api.getRelay(id);
      return relay.status === 'pending' ? undefined : relay;
    },
    { everyMs: 100 },
  );
  if (!ended) throw new Error(`relay ${id} did not end`);
  return ended;
}

/** Has it sent, and waits for its end. */
export async function relay(
  trader: Pick<Trader, 'api'>,
  request: RelayRequestInput,
): Promise<Relay> {
  const { relay: sent } = await trader.api.relay(request);
  return await untilRelayed(trader, sent.id);
}
