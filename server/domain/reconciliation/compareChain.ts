import { maxMicros } from '#lib/money.ts';
import { type Difference, differenceOf, differing } from './difference.ts';
import type { Books, ChainSnapshot, LedgerSum } from './readBooks.ts';

/** The ledger accounts of the USDC in the vault and the settlement. */
const IN_CONTRACTS = ['escrow', 'house', 'collateral', 'claimable'];
/** The places of existing outcome tokens besides `user:` accounts. */
const TOKENS_IN_VAULT = ['escrow', 'claimable', 'unassigned'];

/** Compares ledger and chain: the vault, every followed account, every token. Pure. */
export function compareChain(books: Books, chain: ChainSnapshot): Difference[] {
  const sums = sumsAtBlock(books);
  return [
    ...compareVault(books, sums, chain),
    ...compareAccounts(books, sums, chain),
    ...compareTokens(sums, chain),
    ...compareBacking(books),
  ];
}

/** The ledger as of the block: sums plus pending lines, by `account|asset`. */
export function sumsAtBlock(books: Books): LedgerSum[] {
  const sums = new Map<string, LedgerSum>();
  for (const { account, asset, amountMicros } of [...books.sums, ...books.pending]) {
    const key = `${account}|${asset}`;
    const before = sums.get(key)?.amountMicros ?? 0n;
    sums.set(key, { account, asset, amountMicros: before + amountMicros });
  }
  return [...sums.values()];
}

function total(sums: LedgerSum[], filter: (sum: LedgerSum) => boolean): bigint {
  return sums.filter(filter).reduce((all, sum) => all + sum.amountMicros, 0n);
}

function compareVault(books: Books, sums: LedgerSum[], chain: ChainSnapshot): Difference[] {
  const expected = total(sums, (sum) => sum.asset === 'usdc' && IN_CONTRACTS.includes(sum.account));
  const house = total(sums, (sum) => sum.asset === 'usdc' && sum.account === 'house');
  const orphans = books.unassigned.map((one) => `${one.amountMicros} by ${one.transactionHash}`);
  return differing([
    {
      kind: 'vault_cash',
      subject: 'vault',
      expectedMicros: expected,
      actualMicros: chain.contractsUsdcMicros,
      explanation:
        'escrow + house + collateral + claimable in the books, the USDC of vault and settlement' +
        (orphans.length > 0 ? `; without a reason came ${orphans.join(', ')}` : ''),
    },
    {
      kind: 'vault_earned',
      subject: 'vault',
      expectedMicros: house,
      actualMicros: chain.accruedUsdcMicros,
      explanation: 'house in the books, accrued in the vault',
    },
  ]);
}

function compareAccounts(books: Books, sums: LedgerSum[], chain: ChainSnapshot): Difference[] {
  const usdc = new Map(
    sums.filter((sum) => sum.asset === 'usdc').map((sum) => [sum.account, sum.amountMicros]),
  );
  // What the chain was not asked for counts as equal.
  const ofUsdc = books.followed.map((account) => {
    const expectedMicros = usdc.get(`user:${account}`) ?? 0n;
    return {
      kind: 'account_usdc' as const,
      subject: account,
      expectedMicros,
      actualMicros: chain.usdcOf.get(account) ?? expectedMicros,
      explanation: 'USDC of the account in the books and on chain',
    };
  });
  const ofTokens = sums.filter(isHeldToken).map(({ account, asset, amountMicros }) => {
    const holder = account.slice('user:'.length);
    return {
      kind: 'account_tokens' as const,
      subject: `${holder} ${asset}`,
      expectedMicros: amountMicros,
      actualMicros: chain.tokensOf.get(`${holder}|${asset}`) ?? amountMicros,
      tickers: tickersOf(asset),
      explanation: 'outcome tokens of the holder in the books and on chain',
    };
  });
  return differing([...ofUsdc, ...ofTokens]);
}

export function isHeldToken(sum: LedgerSum): boolean {
  return sum.asset !== 'usdc' && sum.account.startsWith('user:');
}

/** Tokens in existence by these sums, by asset. */
function heldByAsset(sums: LedgerSum[]): Map<string, bigint> {
  const held = new Map<string, bigint>();
  for (const sum of sums) {
    if (sum.asset === 'usdc') continue;
    if (!isHeldToken(sum) && !TOKENS_IN_VAULT.includes(sum.account)) continue;
    held.set(sum.asset, (held.get(sum.asset) ?? 0n) + sum.amountMicros);
  }
  return held;
}

function compareTokens(sums: LedgerSum[], chain: ChainSnapshot): Difference[] {
  const held = heldByAsset(sums);
  return differing(
    [...chain.supplyOf].map(([asset, actualMicros]) => ({
      kind: 'token_supply' as const,
      subject: asset,
      expectedMicros: held.get(asset) ?? 0n,
      actualMicros,
      tickers: tickersOf(asset),
      explanation: 'holdings in the books, supply in the vault contract',
    })),
  );
}

/** Every existing token was bought. Compared within the ledger, at one moment. */
function compareBacking(books: Books): Difference[] {
  const bought = new Map(
    books.holdings.map((one) => [`token:${one.ticker}:${one.side}`, one.contractMicros]),
  );
  const netted = amountsOf('netted', books.sums);
  const escrow = amountsOf('escrow', books.sums);
  return [...heldByAsset(books.sums)].flatMap(([asset, actualMicros]) => {
    const backing = maxMicros((bought.get(asset) ?? 0n) - (netted.get(asset) ?? 0n), 0n);
    // The proceeds back contracts that were sold at the exchange and whose tokens are in escrow.
    const inEscrow = escrow.get(asset) ?? 0n;
    const expectedMicros = backing + maxMicros(inEscrow, 0n);
    if (actualMicros <= expectedMicros) return [];
    const tickers = tickersOf(asset);
    const explanation = 'contracts by fills less merged pairs, outcome tokens in existence';
    const amounts = { expectedMicros, actualMicros };
    return [
      differenceOf({ kind: 'token_backing', subject: asset, ...amounts, tickers, explanation }),
    ];
  });
}

/** What one ledger account has of each asset. */
function amountsOf(account: string, sums: LedgerSum[]): Map<string, bigint> {
  const ofAccount = sums.filter((sum) => sum.account === account);
  return new Map(ofAccount.map((sum) => [sum.asset, sum.amountMicros]));
}

function tickersOf(asset: string): string[] {
  const ticker = /^token:(.+):(?:yes|no)$/.exec(asset)?.[1];
  return ticker === undefined ? [] : [ticker];
}
