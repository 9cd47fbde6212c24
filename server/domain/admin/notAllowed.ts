/** An admin action that is unsafe or impossible now; the message says why. */
export class NotAllowedError extends Error {
  override readonly name = 'NotAllowedError';
}
