import { developmentWallet } from '#contracts/deployment/developmentKeys.ts';

/**
 * The wallets that the sandbox offers. Their keys are public: they exist only on a chain of this
 * machine.
 */
export const DEMO_WALLETS = [developmentWallet(5), developmentWallet(6)];

/** Names below `.test` can never be registered (RFC 6761). */
const NAMES = ['alice.test', 'bob.test'];

/** The wallets' names in the format of the servers' configuration. */
export function demoWalletNames(): string {
  return DEMO_WALLETS.map(({ address }, index) => `${NAMES[index]}=${address}`).join(',');
}
