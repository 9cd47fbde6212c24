/** The connector of passkeys, as wagmi knows it. */
export const PASSKEY_CONNECTOR = 'crossbook.passkey';
export const PASSKEY_NAME = 'Passkey';
