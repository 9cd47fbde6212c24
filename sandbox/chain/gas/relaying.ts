import {
  type Hex,
  hashTypedData,
  keccak256,
  type LocalAccount,
  type TypedDataDefinition,
  toBytes,
} from 'viem';
import { base } from '#lib/chains.ts';
import { BATCH_GAS, batchTypedData, walletBatchTypedData } from '#lib/relay/batchToSign.ts';
import { depositTypedData, receiveTypedData } from '#lib/relay/depositToSign.ts';
import { permitTypedData } from '#lib/relay/permitToSign.ts';
import { receiveCall } from '#lib/relay/receiveCall.ts';
import type { TestPasskey } from '#sandbox/testing/passkeyWallet.ts';
import { encodeRelay } from '#server/chain/operations/relayCall.ts';
import type { Trader } from './bench.ts';

export type SignedCall = { to: Hex; data: Hex };

type Sender = {
  contracts: Parameters<typeof encodeRelay>[0];
  send: (to: Hex, data: Hex) => Promise<number>;
};

const inAnHour = () => (Math.floor(Date.now() / 1_000) + 3_600).toString();

/** Signs calls of the account and has the sender send them. */
export async function relayBatch(
  { contracts, send }: Sender,
  { owner, account }: { owner: Pick<LocalAccount, 'address' | 'signTypedData'>; account: Hex },
  nonce: number,
  calls: readonly SignedCall[],
): Promise<number> {
  const message = batchOf(nonce, calls);
  const typedData: TypedDataDefinition = batchTypedData(base.id, account, message);
  const signature = await owner.signTypedData(typedData);
  const digest = hashTypedData(typedData);
  const signed = { type: 'batch', owner: owner.address, account, signature, digest } as const;
  const { to, data } = encodeRelay(contracts, { ...signed, message });
  return await send(to, data);
}

const batchOf = (nonce: number, calls: readonly SignedCall[]) => ({
  calls: calls.map((call) => ({ ...call, value: '0' })),
  gas: BATCH_GAS.toString(),
  nonce: nonce.toString(),
  deadline: inAnHour(),
});

/** Signs calls of the passkey's own wallet and has the sender send them. */
export async function relayWalletBatch(
  { contracts, send }: Sender,
  { wallet, signDigest }: TestPasskey,
  nonce: number,
  calls: readonly SignedCall[],
): Promise<number> {
  const owner = wallet.address;
  const message = batchOf(nonce, calls);
  const typedData: TypedDataDefinition = walletBatchTypedData(base.id, owner, message);
  const digest = hashTypedData(typedData);
  const signed = { owner, account: owner, signature: signDigest(digest), digest } as const;
  const { to, data } = encodeRelay(contracts, { ...signed, type: 'walletBatch', message });
  return await send(to, data);
}

let deposits = 0;

/** Signs a transfer of one dollar from the wallet to the account. */
export async function relayDeposit(
  { contracts, send }: Sender,
  { owner, account }: Trader,
): Promise<number> {
  deposits += 1;
  const message = {
    from: owner.address,
    to: account,
    value: '1000000',
    validAfter: '0',
    validBefore: inAnHour(),
    nonce: keccak256(toBytes(`deposit ${deposits}`)),
  };
  const typedData: TypedDataDefinition = depositTypedData(base.id, contracts.usdc, message);
  const signature = await owner.signTypedData(typedData);
  const digest = hashTypedData(typedData);
  const signed = { type: 'deposit', owner: owner.address, account, signature, digest } as const;
  const { to, data } = encodeRelay(contracts, { ...signed, message });
  return await send(to, data);
}

/** Signs a permit of one dollar, which the factory moves from the wallet to the account. */
export async function relayPermit(
  { contracts, send }: Sender,
  { owner, account }: Trader,
  nonce: number,
): Promise<number> {
  const message = {
    owner: owner.address,
    spender: contracts.accountFactory,
    value: '1000000',
    nonce: nonce.toString(),
    deadline: inAnHour(),
  };
  const typedData: TypedDataDefinition = permitTypedData(base.id, contracts.usdc, message);
  const signature = await owner.signTypedData(typedData);
  const digest = hashTypedData(typedData);
  const signed = { type: 'permit', owner: owner.address, account, signature, digest } as const;
  const { to, data } = encodeRelay(contracts, { ...signed, message });
  return await send(to, data);
}

/** The account's call that takes a dollar from the owner's wallet, signed by the owner. */
export async function signReceiving(
  { contracts }: Pick<Sender, 'contracts'>,
  { owner, account }: Trader,
): Promise<SignedCall> {
  const message = {
    from: owner.address,
    to: account,
    value: '1000000',
    validAfter: '0',
    validBefore: inAnHour(),
    nonce: keccak256(toBytes(`received ${account}`)),
  };
  const typedData: TypedDataDefinition = receiveTypedData(base.id, contracts.usdc, message);
  return receiveCall(contracts.usdc, message, await owner.signTypedData(typedData));
}
