/** Whom an order is for, and where it came from. */
export type ComplianceSubject = {
  /** Owners, smart accounts and receivers, in any spelling. */
  addresses: readonly string[];
  /** ISO 3166-1 (`US`) or 3166-2 (`US-NY`); undefined when nobody could say. */
  region: string | undefined;
};

export type ComplianceDecision =
  | { kind: 'allowed' }
  | { kind: 'refused'; code: 'region_not_served' | 'account_blocked' };

/**
 * Checks that the law asks for. The lists of this folder are one implementation; a service that
 * screens addresses is another. What cannot be checked must throw: it is refused, not let through.
 */
export type ComplianceCheck = {
  /** For purchases: where it came from, and whom it is for. */
  assessPurchase(subject: ComplianceSubject): Promise<ComplianceDecision>;
  /** For everything else that the service does for somebody: only whom it is for. */
  assessParties(addresses: readonly string[]): Promise<ComplianceDecision>;
};

/** Where nothing is to be checked. */
export const noCheck: ComplianceCheck = {
  assessPurchase: async () => ({ kind: 'allowed' }),
  assessParties: async () => ({ kind: 'allowed' }),
};
