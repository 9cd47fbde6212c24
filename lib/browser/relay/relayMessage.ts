import { decodeAbiParameters, decodeFunctionData, isAddressEqual } from 'viem';
import { ACCOUNT_BATCH } from '#lib/accountBatch.ts';
import type { Account } from '#lib/api/schemas/account.ts';
import type { Relay, RelayRequestInput, RelayTerms } from '#lib/api/schemas/relay.ts';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import { isUnknownOutcome } from '#lib/browser/api/unknownOutcome.ts';
import { canBatch, type SendProgress, type WalletCall } from '#lib/browser/wallet/sendCalls.ts';
import { loadWallet } from '#lib/browser/wallet/wallet.ts';
import { contractCallsAbi } from '#lib/contractCalls.ts';
import { parseMicros } from '#lib/money.ts';
import { pause } from '#lib/pause.ts';
import { BATCH_GAS, batchTypedData, USUAL_BATCH_SECONDS } from '#lib/relay/batchToSign.ts';
import { depositTypedData } from '#lib/relay/depositToSign.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import { lacksEther } from './lacksEther.ts';

type Hex = `0x${string}`;
type Service = { api: TradingClient; site: SiteConfig };

/** What an owner signs for Crossbook to send. */
export type RelayDraft =
  | { type: 'deposit'; usdcMicros: bigint }
  /** Calls by the smart account. */
  | { type: 'batch'; calls: WalletCall[] };

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

/**
 * The terms on which Crossbook sends a message for this wallet; undefined where the wallet sends it
 * itself: with ether, or as a smart wallet, which has its own ways to pay.
 */
export async function findRelayTerms(
  { api, site }: Service,
  account: Pick<Account, 'owner' | 'balances'>,
  draft: RelayDraft,
): Promise<RelayTerms | undefined> {
  const { owner } = account;
  if (!site.relays || !lacksEther(account)) return undefined;
  const { engine } = await loadWallet(site);
  if (await canBatch(engine, owner as Hex)) return undefined;
  // Without an answer the wallet can still send it.
  const terms = await api.getRelayTerms(owner).catch(() => undefined);
  if (!terms || terms.remainingToday.messages === 0) return undefined;
  const isTaken =
    draft.type === 'batch'
      ? terms.batch.isAccepted
      : draft.usdcMicros >= parseMicros(terms.minimumDeposit);
  return isTaken ? terms : undefined;
}

/**
 * Has the owner sign the message, and follows it until it is on chain.
 * @throws also when it failed, and when its outcome is not known in time
 */
export async function relayMessage(
  service: Service,
  account: Pick<Account, 'owner' | 'smartAccountAddress'>,
  draft: RelayDraft,
  terms: RelayTerms,
  onProgress: (progress: SendProgress) => void,
): Promise<void> {
  const { site, api } = service;
  const { typedData, ...message } = relayMessageOf(site, account, draft, terms);
  const { engine, signTyped, ensureOurChain } = await loadWallet(site);
  // Wallets refuse to sign for another network than their own.
  await ensureOurChain(engine);
  const step = { sent: 0, total: 1, isAtomic: true };
  onProgress({ ...step, waiting: 'wallet' });
  const signature = await signTyped(engine, account.owner as Hex, typedData);
  onProgress({ ...step, waiting: 'chain' });
  await follow(api, { ...message, address: account.owner, signature });
}

/** The message for the owner to sign, and its typed data. */
export function relayMessageOf(
  { chainId, contracts }: SiteConfig,
  account: Pick<Account, 'owner' | 'smartAccountAddress'>,
  draft: RelayDraft,
  { batch }: RelayTerms,
) {
  const to = account.smartAccountAddress as Hex;
  const until = (Math.floor(Date.now() / 1_000) + USUAL_BATCH_SECONDS).toString();
  if (draft.type === 'batch') {
    const calls = draft.calls.map((call) => ({ ...call, value: call.value.toString() }));
    const message = { calls, gas: BATCH_GAS.toString(), nonce: batch.nonce, deadline: until };
    return { type: 'batch' as const, message, typedData: batchTypedData(chainId, to, message) };
  }
  const message = {
    from: account.owner,
    to,
    value: draft.usdcMicros.toString(),
    validAfter: '0',
    validBefore: until,
    nonce: randomNonce(),
  };
  const typedData = depositTypedData(chainId, contracts.usdc, message);
  return { type: 'deposit' as const, message, typedData };
}

function randomNonce(): Hex {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

const POLL_MS = 700;
const FOLLOWED_MS = 120_000;

/** A message without a response is sent again: one message is one relay. */
async function follow(api: TradingClient, request: RelayRequestInput): Promise<void> {
  const endsAt = Date.now() + FOLLOWED_MS;
  let id: string | undefined;
  while (Date.now() < endsAt) {
    const relay = await withoutOutage(async () =>
      id === undefined ? (await api.relay(request)).relay : api.getRelay(id),
    );
    id = relay?.id ?? id;
    if (relay?.status === 'completed') return;
    if (relay?.status === 'failed') throw new Error(FAILED[relay.reason ?? 'refused']);
    await pause(POLL_MS, undefined);
  }
  throw new Error(
    'The network has not confirmed it yet. Look at your balance in a few minutes before you try again.',
  );
}

async function withoutOutage(ask: () => Promise<Relay>): Promise<Relay | undefined> {
  try {
    return await ask();
  } catch (problem) {
    if (!isUnknownOutcome(problem)) throw problem;
    return undefined;
  }
}

const FAILED: Record<NonNullable<Relay['reason']>, string> = {
  expired: 'The network did not take it in time. Nothing moved. Sign again.',
  already_used: 'You signed another message meanwhile, which took its place. Sign again.',
  refused: 'The network refused it. Nothing moved.',
};
