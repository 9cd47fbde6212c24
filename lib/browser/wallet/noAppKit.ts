/** Replaces WalletConnect's own interface, which is never shown (next.config.mjs). */
export {};
