/** The exchange did not respond, or responded that it is unavailable. */
export class ExchangeUnavailableError extends Error {
  override readonly name = 'VenueUnavailableError';
  readonly code: string;

  constructor(code: string, path: string) {
    super(`the exchange did not serve ${path}: ${code}`);
    this.code = code;
  }
}

/** The exchange rejected a read; `code` is its own. */
export class ExchangeResponseError extends Error {
  override readonly name = 'VenueAnswerError';
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, path: string) {
    super(`the exchange answered ${path} with ${status} ${code}`);
    this.status = status;
    this.code = code;
  }
}
