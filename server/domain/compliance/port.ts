/** The parties of an order, and its region. */
export type ComplianceSubject = {
  /** Owners, smart accounts and receivers, in any spelling. */
  addresses: readonly string[];
  /** ISO 3166-1 (`US`) or 3166-2 (`US-NY`); undefined when unknown. */
  region: string | undefined;
};

export type ComplianceDecision =
  | { kind: 'allowed' }
  | { kind: 'refused'; code: 'region_not_served' | 'account_blocked' };

/**
 * Legally required checks. This folder's lists are one implementation; an address screening service
 * is another. A check that cannot be performed must throw, so that the request is rejected.
 */
export type ComplianceCheck = {
  /** For purchases: checks region and parties. */
  assessPurchase(subject: ComplianceSubject): Promise<ComplianceDecision>;
  /** For all other services: checks only the parties. */
  assessParties(addresses: readonly string[]): Promise<ComplianceDecision>;
};

/** For configurations without checks. */
export const noCheck: ComplianceCheck = {
  assessPurchase: async () => ({ kind: 'allowed' }),
  assessParties: async () => ({ kind: 'allowed' }),
};
