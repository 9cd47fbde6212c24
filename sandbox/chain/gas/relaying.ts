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
import {
  type DepositMessage,
  depositTypedData,
  receiveTypedData,
} from '#lib/relay/depositToSign.ts';
import { type PermitMessage, permitTypedData } from '#lib/relay/permitToSign.ts';
import { receiveCall } from '#lib/relay/receiveCall.ts';
import type { TestPasskey } from '#sandbox/testing/passkeyWallet.ts';
import { encodeRelay } from '#server/chain/operations/relayCall.ts';
import type { SignedCall, Trader } from './benchAccounts.ts';

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

/** A transfer of one dollar from the wallet to the account, to sign. */
const dollarFrom = ({ owner, account }: Trader, nonceText: string): DepositMessage => ({
  from: owner.address,
  to: account,
  value: '1000000',
  validAfter: '0',
  validBefore: inAnHour(),
  nonce: keccak256(toBytes(nonceText)),
});

/** Signs a transfer of one dollar from the wallet to the account. */
export async function relayDeposit(sender: Sender, trader: Trader): Promise<number> {
  deposits += 1;
  const message = dollarFrom(trader, `deposit ${deposits}`);
  const typedData = depositTypedData(base.id, sender.contracts.usdc, message);
  return await signAndSend(sender, trader, typedData, { type: 'deposit', message });
}

/** Signs a permit of one dollar, which the factory moves from the wallet to the account. */
export async function relayPermit(sender: Sender, trader: Trader, nonce: number): Promise<number> {
  const message = {
    owner: trader.owner.address,
    spender: sender.contracts.accountFactory,
    value: '1000000',
    nonce: nonce.toString(),
    deadline: inAnHour(),
  };
  const typedData = permitTypedData(base.id, sender.contracts.usdc, message);
  return await signAndSend(sender, trader, typedData, { type: 'permit', message });
}

async function signAndSend(
  { contracts, send }: Sender,
  { owner, account }: Trader,
  typedData: TypedDataDefinition,
  request:
    | { type: 'deposit'; message: DepositMessage }
    | { type: 'permit'; message: PermitMessage },
): Promise<number> {
  const signature = await owner.signTypedData(typedData);
  const digest = hashTypedData(typedData);
  const signed = { owner: owner.address, account, signature, digest };
  const { to, data } = encodeRelay(contracts, { ...request, ...signed });
  return await send(to, data);
}

/** The account's call that takes a dollar from the owner's wallet, signed by the owner. */
export async function signReceiving(
  { contracts }: Pick<Sender, 'contracts'>,
  trader: Trader,
): Promise<SignedCall> {
  const message = dollarFrom(trader, `received ${trader.account}`);
  const typedData: TypedDataDefinition = receiveTypedData(base.id, contracts.usdc, message);
  return receiveCall(contracts.usdc, message, await trader.owner.signTypedData(typedData));
}
