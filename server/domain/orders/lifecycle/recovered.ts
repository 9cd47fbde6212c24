/** Stands for the API key and the request of an intent that only the chain remembers. */
export const RECOVERED = 'recovered';
