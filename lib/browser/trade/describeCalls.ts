import { decodeAbiParameters, decodeFunctionData, type Hex, isAddressEqual } from 'viem';
import { ACCOUNT_BATCH } from '#lib/accountBatch.ts';
import { contractCallsAbi } from '#lib/contractCalls.ts';
import { shortHex } from '#lib/format/address.ts';
import { contracts, dollarsExact } from '#lib/format/money.ts';
import { MICROS } from '#lib/money.ts';
import type { SiteConfig } from '#lib/siteConfig.ts';

/**
 * A transaction in words. `understood` is false for data of an unknown kind; it must not be
 * presented as harmless.
 */
export type DescribedCall = { text: string; to: Hex; toName: string; understood: boolean };

type Call = { to: Hex; data: Hex };

type CallTerms = {
  site: SiteConfig;
  account: Hex;
  /** The order spends its limit, so that the fill decides the number of contracts. */
  spendsLimit?: boolean;
};

/**
 * Decodes the calls that the wallet is about to sign; a batch of the account yields its inner
 * calls.
 */
export function describeCalls(terms: CallTerms, calls: Call[]): DescribedCall[] {
  return calls.flatMap((call) => describeCall(terms, call));
}

function describeCall(terms: CallTerms, call: Call): DescribedCall[] {
  const { site, account } = terms;
  try {
    if (isAddressEqual(call.to, account)) return describeBatch(terms, call);
    if (isAddressEqual(call.to, site.contracts.usdc)) return [describeUsdc(site, account, call)];
    if (isAddressEqual(call.to, site.contracts.swapVault)) return [describeVault(terms, call)];
    if (isAddressEqual(call.to, site.contracts.settlement)) return [describeSettlement(call)];
    if (isAddressEqual(call.to, site.contracts.accountFactory)) return [describeFactory(call)];
  } catch {
    // Data that does not decode is shown as unknown.
  }
  return [{ text: 'Unknown call', to: call.to, toName: 'Unknown contract', understood: false }];
}

function describeBatch(terms: CallTerms, call: Call): DescribedCall[] {
  const { functionName, args } = decodeFunctionData({ abi: contractCallsAbi, data: call.data });
  if (functionName !== 'execute') throw new Error('not a batch');
  const [inner] = decodeAbiParameters(ACCOUNT_BATCH, args[1]);
  return inner.flatMap((one) => describeCall(terms, one));
}

function describeUsdc(site: SiteConfig, account: Hex, call: Call): DescribedCall {
  const { functionName, args } = decodeFunctionData({ abi: contractCallsAbi, data: call.data });
  const named = (to: Hex) =>
    isAddressEqual(to, site.contracts.swapVault)
      ? 'the Crossbook vault'
      : isAddressEqual(to, account)
        ? 'your smart account'
        : shortHex(to);
  if (functionName === 'approve') {
    const [spender, amount] = args;
    return usdc(call, `Allow ${named(spender)} to spend ${dollarsExact(amount)} USDC once`);
  }
  if (functionName === 'transfer') {
    const [to, amount] = args;
    return usdc(call, `Send ${dollarsExact(amount)} USDC to ${named(to)}`);
  }
  throw new Error('not a known USDC call');
}

function usdc(call: Call, text: string): DescribedCall {
  return { text, to: call.to, toName: 'USDC', understood: true };
}

function describeVault({ spendsLimit }: CallTerms, call: Call): DescribedCall {
  const { functionName, args } = decodeFunctionData({ abi: contractCallsAbi, data: call.data });
  if (functionName !== 'request') throw new Error('not an order');
  const [order] = args;
  const noun = order.quantity === MICROS ? 'contract' : 'contracts';
  const quantity = `${contracts(order.quantity)} ${order.outcome === 0 ? 'Yes' : 'No'} ${noun}`;
  const limit = `${dollarsExact(order.quoteLimit)} USDC`;
  const buys = spendsLimit
    ? `Spend at most ${limit}, fees included: at least ${quantity} for the whole amount`
    : `Order ${quantity} for at most ${limit}, fees included`;
  const text = order.isBuy ? buys : `Sell ${quantity} for at least ${limit}, after fees`;
  return { text, to: call.to, toName: 'Crossbook vault', understood: true };
}

function describeSettlement(call: Call): DescribedCall {
  const { functionName, args } = decodeFunctionData({ abi: contractCallsAbi, data: call.data });
  if (functionName !== 'merge') throw new Error('not a merge');
  const quantity = contracts(args[1]);
  const text = `Give ${quantity} Yes and ${quantity} No of a market and receive ${dollarsExact(args[1])} USDC`;
  return { text, to: call.to, toName: 'Crossbook settlement', understood: true };
}

function describeFactory(call: Call): DescribedCall {
  const { functionName } = decodeFunctionData({ abi: contractCallsAbi, data: call.data });
  if (functionName !== 'createAccount') throw new Error('not an account creation');
  return {
    text: 'Create your smart account (once)',
    to: call.to,
    toName: 'Account factory',
    understood: true,
  };
}
