import { ServiceError } from '#server/platform/errors.ts';

export function marketNotFound(ticker: string): ServiceError {
  return new ServiceError('market_not_found', `The exchange has no market "${ticker}".`);
}
