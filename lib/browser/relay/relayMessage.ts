import type { Account } from '#lib/api/schemas/account.ts';
import type { Relay, RelayRequestInput, RelayTerms } from '#lib/api/schemas/relay.ts';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import { isUnknownOutcome } from '#lib/browser/api/unknownOutcome.ts';
import { canBatch, type SendProgress } from '#lib/browser/wallet/sendCalls.ts';
import { loadWallet } from '#lib/browser/wallet/wallet.ts';
import { parseMicros } from '#lib/money.ts';
import { pause } from '#lib/pause.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';
import { lacksEther } from './lacksEther.ts';
import { type RelayDraft, relayMessageOf } from './relayDraft.ts';

type Hex = `0x${string}`;
export type RelayService = { api: TradingClient; site: SiteConfig };

/**
 * The terms on which Crossbook sends a message for this wallet; undefined where the wallet sends it
 * itself: with ether, or as a smart wallet, which has its own ways to pay.
 * @param isAlwaysRelayed Crossbook sends it for a wallet with ether, too
 */
export async function findRelayTerms(
  { api, site }: RelayService,
  account: Pick<Account, 'owner' | 'balances'>,
  draft: RelayDraft,
  isAlwaysRelayed = false,
): Promise<RelayTerms | undefined> {
  const { owner } = account;
  if (!site.relays || !(isAlwaysRelayed || lacksEther(account))) return undefined;
  const { engine } = await loadWallet(site);
  if (await canBatch(engine, owner as Hex)) return undefined;
  // Without an answer the wallet can still send it.
  const terms = await api.getRelayTerms(owner).catch(() => undefined);
  if (!terms || terms.remainingToday.messages === 0) return undefined;
  const isTaken =
    (draft.type === 'batch' && terms.batch.isAccepted) ||
    depositIn(draft) >= parseMicros(terms.minimumDeposit);
  return isTaken ? terms : undefined;
}

const depositIn = (draft: RelayDraft) =>
  draft.type === 'batch' ? (draft.depositMicros ?? 0n) : draft.usdcMicros;

/** Whether the wallet, not the account, has the money for a first order that Crossbook would send. */
export async function paysFirstOrder(
  service: RelayService,
  account: Pick<Account, 'owner' | 'balances'> | undefined,
): Promise<boolean> {
  if (!account) return false;
  const { ownerUsdc, usdc } = account.balances;
  if (parseMicros(ownerUsdc) <= parseMicros(usdc)) return false;
  return (await findBatchTerms(service, account)) !== undefined;
}

/** The terms for any batch of the account, which may first take what the wallet has. */
export async function findBatchTerms(
  service: RelayService,
  account: Pick<Account, 'owner' | 'balances'>,
): Promise<RelayTerms | undefined> {
  const depositMicros = parseMicros(account.balances.ownerUsdc);
  return await findRelayTerms(service, account, { type: 'batch', calls: [], depositMicros });
}

/**
 * Has the owner sign the message, and follows it until it is on chain.
 * @throws also when it failed, and when its outcome is not known in time
 */
export async function relayMessage(
  service: RelayService,
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
  await followRelay(api, { ...message, address: account.owner, signature });
}

const POLL_MS = 700;
const FOLLOWED_MS = 120_000;

/**
 * Has a signed message sent, and follows it until it is on chain. A message without a response is
 * sent again: one message is one relay.
 * @throws also when it failed, and when its outcome is not known in time
 */
export async function followRelay(api: TradingClient, request: RelayRequestInput): Promise<void> {
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
  throw new UnconfirmedRelay();
}

/** Whether the message takes effect is still open. */
export class UnconfirmedRelay extends Error {
  override readonly name = 'UnconfirmedRelay';

  constructor() {
    super(
      'The network has not confirmed it yet. Look at your balance in a few minutes before you try again.',
    );
  }
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
