/** An action by hand that is not safe, or not possible, now; the message says why. */
export class NotAllowedError extends Error {
  override readonly name = 'NotAllowedError';
}
