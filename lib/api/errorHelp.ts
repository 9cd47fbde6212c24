import type { ErrorCode } from './errorCodes.ts';

/** What each code means for the caller, and what to do about it. */
export const ERROR_HELP: Record<ErrorCode, string> = {
  invalid_request:
    'A field or parameter is missing, unknown, given twice, or not of the form it must have. Each entry of errors says where and what to change. Nothing was created.',
  malformed_json: 'The body could not be read as JSON in UTF-8. Nothing was created.',
  malformed_http: 'The request could not be read as HTTP/1.1. Nothing was created.',
  api_key_missing: 'Send your API key in the header x-api-key.',
  api_key_invalid:
    'The key is not known, was revoked or has expired. Check it for typing errors: keys carry a checksum.',
  token_missing:
    'This needs the signed-in owner. Sign in and send the token in the header Authorization: Bearer.',
  token_invalid:
    'The token has expired, is meant for another service, or was changed. Sign in again.',
  operator_token_invalid:
    'The operators’ interface takes a token of its own in the header Authorization: Bearer, made with npm run ops -- operators add. This one is not known, was revoked or has expired.',
  sign_in_failed:
    'A sign-in message works once, for ten minutes, unchanged, and with the signature of the wallet it names. Ask for a new one.',
  forbidden:
    'The key lacks the scope for this, or is the public key of a page and was used outside it.',
  origin_not_allowed:
    'A browser says which page it asks for, and this key does not name that page’s origin. Its owner can add it at PATCH /v1/keys/{id}; requests from servers need none. Nothing was created.',
  ip_not_allowed:
    'The key is bound to networks, and this request came from none of them. Its owner can change them at PATCH /v1/keys/{id}.',
  region_not_served:
    'The law, or our rules, do not let us take orders from where this request came from. What you hold stays yours: selling, redeeming and withdrawing work. Nothing was created.',
  account_blocked:
    'An address of this order is on a list of those we may not trade with. Nothing was created.',
  terms_not_accepted:
    'The wallet has not accepted the terms that hold now. Read them at /terms, accept them there or with POST /v1/account/terms, and send the request again. Nothing was created.',
  wrong_owner:
    'The bearer token is for another wallet than the one that owns the userAddress. Nothing was created.',
  not_found: 'There is nothing at this path. Check its spelling; paths are case-sensitive.',
  market_not_found: 'The exchange lists no market with this ticker.',
  order_not_found:
    'There is no order with this id that you may see: it belongs to the key that made it and to its signed-in owner.',
  token_not_found: 'No market has an outcome token with this id.',
  account_not_found: 'There is no account for this address.',
  key_not_found: 'The signed-in wallet has no key with this id.',
  webhook_not_found:
    'There is no webhook with this id that you may see: it belongs to the key or to the wallet that made it.',
  subscription_not_found:
    'No browser of the signed-in wallet is notified under this id: it has been taken away, or its push service said that it is gone.',
  delivery_not_found: 'The webhook has no delivery with this id. Deliveries are kept for 30 days.',
  name_not_found:
    'The name exists nowhere we look, or has no address recorded. Check it for typing errors, or use the address.',
  method_not_allowed:
    'The path exists, but not for this method; the header Allow lists those it takes.',
  not_acceptable: 'Only JSON can be answered here.',
  request_timeout:
    'Headers must arrive within 10 seconds and the whole request within 20. Nothing was created.',
  client_id_conflict:
    'This clientId was used for a request with another body. Repeat the same body to get its intent, or choose a new clientId.',
  action_not_possible:
    'What an operator asked for is not safe, or not possible, at the moment; detail says why. Nothing was changed.',
  settlement_pending:
    'The exchange has settled the market and the vault pays it out after a short delay. POST /v1/order waits for that by itself; for calldata ask again after `Retry-After`.',
  order_not_cancellable:
    'The funds are already being moved, or the order is over. What is not swapped is returned.',
  key_not_active: 'The key was revoked or has expired, and that is final. Create another one.',
  webhook_disabled: 'A disabled webhook is sent nothing. Enable it first: PATCH /v1/webhooks/{id}.',
  body_too_large: 'A body holds at most 64 KiB.',
  unsupported_media_type:
    'Send the body uncompressed as application/json in UTF-8, with the matching Content-Type.',
  unsupported_token: 'Orders are for outcome tokens against USDC, on the chain that is served.',
  address_not_allowed:
    'The address belongs to the service itself: a contract, a key that signs for it, or its treasury. Nothing was created; name your own.',
  unsupported_chain: 'This chain is not served; GET /v1/account tells which one is.',
  quantity_not_allowed: 'Quantities are positive and in steps of 0.01 contract.',
  limit_not_allowed: 'The bound leaves no price at which the order could trade after fees.',
  receiver_not_allowed:
    'An order that the service places delivers to the smart account or its owner. To deliver elsewhere, sign the order yourself with calldata.',
  market_suspended:
    'Our books, the exchange and the chain disagree about this market, or an operator has suspended it. Orders under way are finished or refunded, and withdrawals work. Try again later. Nothing was created.',
  order_too_large:
    'The contracts cap what is delivered per hour. The error names the largest order: place a smaller one, or several.',
  trading_limit_reached:
    'With this order the key, the account or the market would go beyond what may be bought; detail says which limit and how much is left. Only purchases are limited. Nothing was created.',
  market_not_open: 'Orders are taken while the market is open. Nothing was created.',
  grant_required:
    'The owner has not signed a grant, or it is over. Ask for one at GET /v1/account/grant and record its signature.',
  grant_exceeded: 'The order is larger than the owner’s grant allows. Sign a wider one.',
  grant_invalid:
    'The grant’s signature, nonce or terms do not fit. Sign exactly what GET /v1/account/grant answers.',
  withdrawal_signature_invalid:
    'The signature is not the account owner’s over exactly this withdrawal: its token, amount, destination, clientId and deadline. Sign what POST /v1/order/withdraw/typed-data answers. A smart wallet must be deployed first. Nothing was moved.',
  deadline_not_allowed:
    'The deadline of a signed withdrawal lies from 30 seconds to 24 hours ahead, in Unix seconds. Choose another one and sign again. Nothing was moved.',
  insufficient_funds: 'The smart account holds less than the order needs. Nothing was created.',
  target_not_allowed:
    'A webhook’s target must be an https address on the public internet, without credentials in it.',
  limit_reached: 'Delete one that is no longer needed first.',
  names_not_served: 'This installation has no access to a name service. Use addresses.',
  push_not_served:
    'This installation has no keys for notifications. Use webhooks or the stream to be told of what happens.',
  fee_unknown:
    'The exchange charges this market by a rule that the service does not know, so it is neither quoted nor traded.',
  rate_limited:
    'Too many requests. The RateLimit headers tell your quota; Retry-After tells when to come back.',
  headers_too_large: 'The headers hold more than 16 KiB together.',
  internal_error:
    'The fault is ours. It is safe to repeat the request with the same clientId. Quote the requestId when you ask us.',
  exchange_unavailable: 'The exchange does not answer. Nothing was created; try again shortly.',
  chain_unavailable: 'The chain does not answer. Try again shortly.',
  names_unavailable: 'The name service does not answer. Try again shortly, or use the address.',
  trading_paused:
    'An operator has paused trading. Orders that the exchange has been asked for are finished, others are refunded, and withdrawals and redemptions go on. Nothing was created.',
  service_unavailable:
    'The service is starting or stopping, or its database is out of reach. It is safe to repeat the request with the same clientId shortly.',
};
