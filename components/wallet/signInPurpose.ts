/** What signing in does, said where it is asked for. */
export const signInPurpose = (isPasskey: boolean): string =>
  isPasskey
    ? 'Confirm with your passkey that this account is yours. It is free and moves no funds.'
    : 'Sign a message to prove this wallet is yours. It is free and moves no funds.';
