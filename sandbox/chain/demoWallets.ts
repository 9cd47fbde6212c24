import { developmentWallet } from '#contracts/deployment/developmentKeys.ts';

/**
 * The wallets offered to whoever opens the sandbox. Their keys are public: they exist on a chain of
 * this machine only.
 */
export const DEMO_WALLETS = [developmentWallet(5), developmentWallet(6)];

/** Nobody can ever own a name below `.test` (RFC 6761). */
const NAMES = ['alice.test', 'bob.test'];

/** The wallets' names, as the servers take them. */
export function demoWalletNames(): string {
  return DEMO_WALLETS.map(({ address }, index) => `${NAMES[index]}=${address}`).join(',');
}
