import type { ErrorCode } from './errorCodes.ts';

/** What each code means for the caller, and what to do about it. */
export const ERROR_HELP: Record<ErrorCode, string> = {
  invalid_request:
    'A field or parameter is missing, unknown, duplicated or malformed. Each entry of errors names the field and what to change. Nothing was created.',
  malformed_json: 'The body is not valid JSON in UTF-8. Nothing was created.',
  malformed_http: 'The request is not valid HTTP/1.1. Nothing was created.',
  api_key_missing: 'Send your API key in the header x-api-key.',
  api_key_invalid:
    'The API key is unknown, revoked or expired. Check it for typos: keys carry a checksum.',
  token_missing:
    'This request requires the owner to be signed in. Sign in and send the token in the header Authorization: Bearer.',
  token_invalid:
    'The token has expired, was issued for another service, or is malformed. Sign in again.',
  operator_token_invalid:
    'The admin API requires its own token in the header Authorization: Bearer. Create one with npm run ops -- operators add. This token is unknown, revoked or expired.',
  sign_in_failed:
    'A sign-in message is valid once, for ten minutes, unchanged, and only with a signature by the wallet it names. Request a new message.',
  forbidden:
    'The API key lacks the required scope, or it is a publishable key used outside its page.',
  origin_not_allowed:
    'The API key does not allow requests from this web page’s origin. Add the origin with PATCH /v1/keys/{id}; requests from servers do not need one. Nothing was created.',
  ip_not_allowed:
    'The API key is restricted to certain IP addresses, and this request came from another one. Change them with PATCH /v1/keys/{id}.',
  region_not_served:
    'You cannot buy from this region. You can still sell, redeem and withdraw. Nothing was created.',
  account_blocked: 'An address in this order is on a sanctions or block list. Nothing was created.',
  terms_not_accepted:
    'The wallet has not accepted the current terms. Accept them at /terms or with POST /v1/account/terms, then send the request again. Nothing was created.',
  wrong_owner:
    'The bearer token belongs to a different wallet than the owner of userAddress. Nothing was created.',
  not_found: 'This path does not exist. Check its spelling; paths are case-sensitive.',
  market_not_found: 'The exchange has no market with this ticker.',
  order_not_found:
    'No order with this ID is visible to you. An order is visible to the API key that created it and to its signed-in owner.',
  token_not_found: 'No market has an outcome token with this id.',
  account_not_found: 'No account exists for this address.',
  key_not_found: 'The signed-in wallet has no API key with this ID.',
  webhook_not_found:
    'No webhook with this ID is visible to you. A webhook is visible to the API key or wallet that created it.',
  subscription_not_found: 'This subscription was removed or has expired.',
  price_alert_not_found: 'The alert was deleted, or belongs to another wallet.',
  delivery_not_found: 'The webhook has no delivery with this ID. Deliveries are kept for 30 days.',
  passkey_not_found:
    'No public key is stored for this credential ID. POST /v1/passkeys stores it when the passkey is created.',
  session_key_not_found:
    'The trading permission of this account has no active session key like this. GET /v1/account/session-keys lists them.',
  passkey_taken:
    'Another public key is stored for this credential ID, which keeps it. Nothing was changed.',
  relay_not_found: 'No relayed message has this ID. POST /v1/relay returns it.',
  name_not_found:
    'The name is not registered or has no address. Check it for typos, or use the address.',
  method_not_allowed:
    'The path does not support this method. The Allow header lists the supported methods.',
  upgrade_required:
    'This address is for WebSockets. Open one with a client library, or use GET /v1/stream for server-sent events.',
  not_acceptable: 'This endpoint returns JSON only. Accept application/json.',
  request_timeout:
    'Send the headers within 10 seconds and the whole request within 20. Nothing was created.',
  client_id_conflict:
    'This clientId was used with a different body. Send the same body again to get its order, or use a new clientId.',
  action_not_possible:
    'The action is not safe or not possible right now; detail says why. Nothing was changed.',
  merge_not_possible:
    'The vault merges no pairs of this market now; detail says why: the contracts are paused, the market is settled or about to pay a pair less than a dollar, or the vault’s hourly cap or funds are used up. Nothing was created.',
  settlement_pending:
    'The market has resolved and the vault pays out after a short delay. POST /v1/order waits for the payout; for calldata, retry after Retry-After.',
  order_not_cancellable:
    'The funds are already moving, or the order has ended. Any unfilled amount is returned.',
  order_not_amendable:
    'Only an order that rests at the exchange can be amended, one amendment at a time. Read the order, then try again.',
  key_not_active:
    'The API key was revoked or has expired and cannot be reactivated. Create a new one.',
  webhook_disabled: 'A disabled webhook receives nothing. Enable it with PATCH /v1/webhooks/{id}.',
  body_too_large: 'The maximum body size is 64 KiB.',
  unsupported_media_type:
    'Send the body uncompressed as application/json in UTF-8, with the matching Content-Type.',
  unsupported_token: 'Orders trade outcome tokens against USDC on the supported chain.',
  address_not_allowed:
    'The address belongs to Crossbook: a contract, a signing key or the treasury. Use your own address. Nothing was created.',
  unsupported_chain: 'This chain is not supported. GET /v1/account returns the supported chain.',
  quantity_not_allowed:
    'Quantities must be positive and in steps of 0.01 contracts. An order that may rest needs at least one contract, since its price is closed to other orders of Crossbook.',
  insufficient_allowance:
    'Only in previews: with includeTokenTransfer false the vault needs an allowance of the order’s input, and the account has given it less. Leave the field out, or approve USDC for the vault first.',
  limit_not_allowed: 'At this price limit the order cannot trade after fees.',
  price_not_allowed:
    'limitPrice is per contract, above 0, below 1 and on the market’s grid of ticks.',
  crosses_open_order:
    'Another order on Crossbook rests at a price that would match this one, and orders of Crossbook do not trade with each other at the exchange. Choose another price. Nothing was created.',
  reduce_only_not_held:
    'A reduce-only order trades at most what the account holds: of its own side for a SELL, of the other side for a BUY. Nothing was created.',
  amend_exceeds_lock:
    'Your own wallet locked the funds of this order, and an amendment keeps to them, per contract and in sum. For more, cancel the order and sign a new one. Nothing was changed.',
  receiver_not_allowed:
    'Orders placed by Crossbook deliver to the smart account or its owner. To deliver to another address, sign the order yourself with POST /v1/order/calldata.',
  market_suspended:
    'New orders on this market are suspended. Open orders are completed or refunded, and withdrawals work. Try again later. Nothing was created.',
  order_too_large:
    'The contracts cap deliveries per hour. The error states the largest possible order: place a smaller order, or several.',
  trading_limit_reached:
    'This order would exceed a buying limit of the API key, the account or the market. detail states the limit and how much is left. Only purchases are limited. Nothing was created.',
  market_not_open: 'This market is not open for trading. Nothing was created.',
  grant_required:
    'The owner has not signed a trading permission, or it has expired. Get one with GET /v1/account/grant and submit the signature.',
  grant_exceeded:
    'The order exceeds the limits of the owner’s trading permission. Sign one with higher limits.',
  order_signature_required:
    'The account’s trading permission names a session key, which must sign every order. Get what to sign with POST /v1/order/typed-data. Nothing was created.',
  order_signature_invalid:
    'The signature is not the session key’s for this order, or is more than two minutes old. Sign exactly what POST /v1/order/typed-data returns, with the same body. Nothing was created.',
  session_key_removed:
    'The owner removed the session key that signed this order. Sign with another key of the trading permission, or have the owner sign a new one. Nothing was created.',
  grant_invalid:
    'The signature, nonce or limits of the trading permission do not match. Sign exactly what GET /v1/account/grant returns.',
  withdrawal_signature_invalid:
    'The owner’s signature does not match this withdrawal: its token, amount, destination, clientId and deadline. Sign exactly what POST /v1/order/withdraw/typed-data returns. A smart wallet must be deployed first. No funds moved.',
  deadline_not_allowed:
    'The deadline must be 30 seconds to 24 hours from now, in Unix seconds. Choose another one and sign again. No funds moved.',
  insufficient_funds: 'The smart account’s balance is too low for this order. Nothing was created.',
  relay_refused:
    'The message is outside what the service sends, is not signed by the owner, or would revert. Each entry of errors names what to change. Nothing was sent; the owner’s own wallet can send it.',
  target_not_allowed: 'A webhook URL must be a public https address without credentials.',
  limit_reached: 'Delete one you no longer need.',
  names_not_served: 'This server does not look up names. Use an address.',
  push_not_served:
    'This server does not send push notifications. Use webhooks or the event stream.',
  fee_unknown:
    'The exchange uses a fee rule for this market that Crossbook does not support, so it cannot be quoted or traded.',
  relay_limit_reached:
    'The service pays network fees up to a limit per account and day, and per hour for all. Nothing was sent. Retry after Retry-After, or send the transaction from the wallet.',
  rate_limited:
    'Too many requests. The RateLimit headers show your quota; retry after Retry-After.',
  headers_too_large: 'The maximum total header size is 16 KiB.',
  internal_error:
    'Something failed on our side. You can safely retry with the same clientId. Include the requestId when you contact us.',
  exchange_unavailable: 'The exchange is not responding. Nothing was created; try again shortly.',
  chain_unavailable: 'The chain is not responding. Try again shortly.',
  names_unavailable: 'The name service is not responding. Try again shortly, or use the address.',
  trading_paused:
    'Trading is paused. Orders already at the exchange are completed, others are refunded. You can still redeem and withdraw. Nothing was created.',
  service_unavailable:
    'The service is temporarily unavailable. You can safely retry shortly with the same clientId.',
};
