/**
 * Every code an answer of /v1 can carry, with its HTTP status and title. Codes are stable: they
 * are added, never renamed.
 */
export const ERROR_CODES = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  api_key_missing: { status: 401, title: 'An API key is required' },
  api_key_invalid: { status: 401, title: 'The API key is not valid' },
  token_missing: { status: 401, title: 'A bearer token is required' },
  token_invalid: { status: 401, title: 'The bearer token is not valid' },
  sign_in_failed: { status: 401, title: 'The sign-in was not accepted' },
  forbidden: { status: 403, title: 'This credential may not do that' },
  wrong_owner: { status: 403, title: 'The signed-in wallet does not own this account' },
  not_found: { status: 404, title: 'Not found' },
  market_not_found: { status: 404, title: 'No such market' },
  order_not_found: { status: 404, title: 'No such order' },
  token_not_found: { status: 404, title: 'No such outcome token' },
  account_not_found: { status: 404, title: 'No such account' },
  method_not_allowed: { status: 405, title: 'This path does not take this method' },
  not_acceptable: { status: 406, title: 'Only JSON can be answered here' },
  client_id_conflict: { status: 409, title: 'This client id was used for another request' },
  order_not_cancellable: { status: 409, title: 'The order can no longer be cancelled' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The body must be application/json' },
  unsupported_token: { status: 422, title: 'This token is not traded here' },
  unsupported_chain: { status: 422, title: 'This chain is not served' },
  quantity_not_allowed: { status: 422, title: 'The quantity is not allowed' },
  limit_not_allowed: { status: 422, title: 'The price bound is not allowed' },
  receiver_not_allowed: { status: 422, title: 'This receiver is not allowed' },
  market_not_open: { status: 422, title: 'The market is not open for trading' },
  grant_required: { status: 422, title: 'The account has given no permission to trade' },
  grant_exceeded: { status: 422, title: 'The permission to trade does not cover this' },
  grant_invalid: { status: 422, title: 'The grant is not valid' },
  insufficient_funds: { status: 422, title: 'The account holds too little' },
  fee_unknown: { status: 422, title: 'The fees of this market are not known' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  exchange_unavailable: { status: 503, title: 'The exchange does not answer' },
  chain_unavailable: { status: 503, title: 'The chain does not answer' },
  service_unavailable: { status: 503, title: 'The service is starting or stopping' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;
