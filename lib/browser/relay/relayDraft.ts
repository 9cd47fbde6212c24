import { decodeAbiParameters, decodeFunctionData, isAddressEqual } from 'viem';
import { ACCOUNT_BATCH } from '#lib/accountBatch.ts';
import type { Account } from '#lib/api/schemas/account.ts';
import type { RelayTerms } from '#lib/api/schemas/relay.ts';
import type { WalletCall } from '#lib/browser/wallet/sendCalls.ts';
import { contractCallsAbi } from '#lib/contractCalls.ts';
import { BATCH_GAS, batchTypedData, USUAL_BATCH_SECONDS } from '#lib/relay/batchToSign.ts';
import {
  type DepositMessage,
  depositTypedData,
  receiveTypedData,
} from '#lib/relay/depositToSign.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';

type Hex = `0x${string}`;

/** What an owner signs for Crossbook to send. */
export type RelayDraft =
  | { type: 'deposit'; usdcMicros: bigint }
  /** Calls by the smart account, which first takes the deposit from the wallet, if any. */
  | BatchDraft;

export type BatchDraft = { type: 'batch'; calls: WalletCall[]; depositMicros?: bigint };

/**
 * The calls of the smart account in transactions that its owner would send; undefined where another
 * address makes them. The deployment is left out: Crossbook deploys the account with a batch.
 */
export function accountCallsIn(
  { contracts }: Pick<SiteConfig, 'contracts'>,
  account: Hex,
  transactions: readonly WalletCall[],
): WalletCall[] | undefined {
  const calls = transactions.map(({ to, data }): WalletCall[] | undefined => {
    if (isAddressEqual(to, contracts.accountFactory)) return [];
    if (!isAddressEqual(to, account)) return undefined;
    const { functionName, args } = decodeFunctionData({ abi: contractCallsAbi, data });
    if (functionName !== 'execute') return undefined;
    return [...decodeAbiParameters(ACCOUNT_BATCH, args[1])[0]];
  });
  return calls.every((some) => some !== undefined) ? calls.flat() : undefined;
}

/** The message for the owner to sign, and its typed data. */
export function relayMessageOf(
  site: SiteConfig,
  account: Pick<Account, 'owner' | 'smartAccountAddress'>,
  draft: RelayDraft,
  { batch }: RelayTerms,
) {
  const { chainId, contracts } = site;
  if (draft.type === 'batch') {
    const to = account.smartAccountAddress as Hex;
    const calls = draft.calls.map((call) => ({ ...call, value: call.value.toString() }));
    const { nonce } = batch;
    const message = { calls, gas: BATCH_GAS.toString(), nonce, deadline: usualEnd() };
    return { type: 'batch' as const, message, typedData: batchTypedData(chainId, to, message) };
  }
  const message = depositMessageOf(account, draft.usdcMicros);
  const typedData = depositTypedData(chainId, contracts.usdc, message);
  return { type: 'deposit' as const, message, typedData };
}

/** The deposit that a batch begins with: nothing but that batch can use its signature. */
export function batchDepositOf(
  { chainId, contracts }: SiteConfig,
  account: Pick<Account, 'owner' | 'smartAccountAddress'>,
  usdcMicros: bigint,
) {
  const message = depositMessageOf(account, usdcMicros);
  return { message, typedData: receiveTypedData(chainId, contracts.usdc, message) };
}

function depositMessageOf(
  { owner, smartAccountAddress }: Pick<Account, 'owner' | 'smartAccountAddress'>,
  usdcMicros: bigint,
): DepositMessage {
  return {
    from: owner,
    to: smartAccountAddress,
    value: usdcMicros.toString(),
    validAfter: '0',
    validBefore: usualEnd(),
    nonce: randomNonce(),
  };
}

function usualEnd(): string {
  return (Math.floor(Date.now() / 1_000) + USUAL_BATCH_SECONDS).toString();
}

function randomNonce(): Hex {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
