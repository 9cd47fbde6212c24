/** How far transfers of USDC have been read and recorded. */
export const TRANSFERS_CURSOR = 'transfers';
