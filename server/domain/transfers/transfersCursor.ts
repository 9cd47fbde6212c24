/** How far transfers of USDC have been read and booked. */
export const TRANSFERS_CURSOR = 'transfers';
