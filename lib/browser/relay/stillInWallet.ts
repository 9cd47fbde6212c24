import { WalletError } from '#lib/browser/wallet/errors.ts';
import { dollarsExact } from '#lib/format/money.ts';
import { UnconfirmedRelay } from './relayMessage.ts';

/** How far a deposit and its order had come: both are one transaction, so nothing moves before it. */
export type PaidStep = 'signDeposit' | 'signOrder' | 'send';

/** Adds where the money is to what a step failed with; the kind of a wallet's error stays. */
export function stillInWallet(problem: unknown, step: PaidStep, usdcMicros: bigint): Error {
  const amount = dollarsExact(usdcMicros);
  const words = problem instanceof Error ? problem.message : 'Something went wrong.';
  if (problem instanceof UnconfirmedRelay) {
    return new Error(
      `The network has not confirmed it yet. Your ${amount} is in your wallet until it does, and in your account afterwards. Press again to check: it runs only once.`,
      { cause: problem },
    );
  }
  const where =
    step === 'signOrder'
      ? `Your ${amount} is still in your wallet: without this signature the deposit that you signed moves nothing.`
      : `Your ${amount} is still in your wallet.`;
  const message = `${words} ${where}`;
  return problem instanceof WalletError
    ? new WalletError(problem.problem, message, { cause: problem })
    : new Error(message, { cause: problem });
}
