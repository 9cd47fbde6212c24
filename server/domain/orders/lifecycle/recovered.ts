/** Replaces the API key and request hash of an order that was recovered from the chain. */
export const RECOVERED = 'recovered';
