import { developmentWallet } from '#contracts/deployment/developmentKeys.ts';

/**
 * The wallets offered to whoever opens the sandbox. Their keys are public: they exist on a chain of
 * this machine only.
 */
export const DEMO_WALLETS = [developmentWallet(5), developmentWallet(6)];
