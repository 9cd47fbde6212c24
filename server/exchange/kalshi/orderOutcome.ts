import type { NoFillReason, PlaceOrderOutcome, PlaceOrderRequest } from '../port.ts';
import { errorCodeOf, errorDetailOf, type HttpResponseBody } from './httpClient.ts';
import { asWire, countMicros, text } from './wire.ts';

/**
 * Meanings of responses to an order, by the exchange's code and never by the HTTP status alone: its
 * four 409s mean four different things. Codes are compared in lower case.
 */
type Meaning =
  | { kind: 'no_fill'; reason: NoFillReason }
  | { kind: 'wait'; spent: boolean }
  | { kind: 'our_fault' }
  | { kind: 'unknown' };

const noFill = (reason: NoFillReason): Meaning => ({ kind: 'no_fill', reason });
const wait: Meaning = { kind: 'wait', spent: false };
const ourFault: Meaning = { kind: 'our_fault' };
const unknown: Meaning = { kind: 'unknown' };

const MEANING = new Map<string, Meaning>(
  Object.entries<Meaning>({
    fill_or_kill_insufficient_resting_volume: noFill('not_filled_whole'),
    immediate_or_cancel_insufficient_resting_volume: noFill('nothing_at_price'),
    // The first attempt under this id may have traded.
    order_already_exists: unknown,
    trading_is_paused: wait,
    exchange_is_paused: wait,
    exchange_unavailable: wait,
    too_many_requests: wait,
    rate_limit_exceeded: wait,
    insufficient_balance: ourFault,
    authentication_error: ourFault,
    header_timestamp_expired: ourFault,
    unauthorized: ourFault,
    forbidden: ourFault,
    exceeded_per_market_risk_limit: ourFault,
    event_contract_daily_cap_exceeded: ourFault,
    deprecated_v1_order_endpoint: ourFault,
    invalid_price: noFill('price_not_allowed'),
    invalid_order: noFill('refused'),
    invalid_parameters: noFill('refused'),
    self_cross_attempt: noFill('would_self_trade'),
    post_only_cross: noFill('post_only_would_cross'),
    reduce_only: noFill('refused'),
    market_not_active: noFill('market_closed'),
    market_inactive: noFill('market_closed'),
    market_closed: noFill('market_closed'),
    market_already_closed: noFill('market_closed'),
    market_not_found: noFill('market_not_found'),
  }),
);

type Asked = Pick<PlaceOrderRequest, 'timeInForce' | 'isPostOnly'>;

/**
 * Interprets the response to an order. No response and 5xx are unknown: the order may have been
 * accepted.
 */
export function orderOutcome(response: HttpResponseBody, asked: Asked = {}): PlaceOrderOutcome {
  if (response.kind === 'unheard') return { kind: 'unknown', code: response.code };
  const { status, body } = response;
  const code = errorCodeOf(body) || `http_${status}`;
  const known = MEANING.get(code.toLowerCase());
  if (status < 300) return accepted(response, asked, code, known);
  // A 503 may carry the exchange's status; it still does not say whether the order was accepted.
  if (status >= 500) return { kind: 'unknown', code };
  if (known) return spell(known, code, errorDetailOf(body));
  return byStatus(status, code, errorDetailOf(body));
}

function accepted(
  { body }: Extract<HttpResponseBody, { kind: 'answered' }>,
  asked: Asked,
  code: string,
  known: Meaning | undefined,
): PlaceOrderOutcome {
  // Older responses wrap the order.
  const order = body.order === undefined ? body : asWire(body.order);
  const exchangeOrderId = text(order, 'order_id');
  const filled = countMicros(order, 'fill_count');
  if (exchangeOrderId !== '' && filled !== undefined) {
    return done(exchangeOrderId, filled, countMicros(order, 'remaining_count'), asked);
  }
  if (known) return spell(known, code, errorDetailOf(body));
  return { kind: 'unknown', code: 'unreadable_answer' };
}

/** The response has no status of the order: what remains shows whether it rests. */
function done(
  exchangeOrderId: string,
  filledContractMicros: bigint,
  remaining: bigint | undefined,
  { timeInForce, isPostOnly }: Asked,
): PlaceOrderOutcome {
  if (isPostOnly && filledContractMicros === 0n && remaining === 0n) {
    return { kind: 'no_fill', reason: 'post_only_would_cross', code: 'post_only_cross' };
  }
  const outcome = { kind: 'done', exchangeOrderId, filledContractMicros } as const;
  if (timeInForce !== 'resting' || remaining === undefined) return outcome;
  return { ...outcome, restingContractMicros: remaining };
}

function byStatus(status: number, code: string, detail: string): PlaceOrderOutcome {
  if (status === 429) return { kind: 'wait', code, spent: false };
  if (status === 401 || status === 403) return { kind: 'our_fault', code, detail };
  if (status === 404) return { kind: 'no_fill', reason: 'market_not_found', code };
  // An unrecognised conflict or timeout may mean that the order was accepted.
  if (status === 408 || status === 409) return { kind: 'unknown', code };
  return { kind: 'no_fill', reason: 'refused', code };
}

function spell(meaning: Meaning, code: string, detail: string): PlaceOrderOutcome {
  switch (meaning.kind) {
    case 'no_fill':
      return { kind: 'no_fill', reason: meaning.reason, code };
    case 'wait':
      return { kind: 'wait', code, spent: meaning.spent };
    case 'our_fault':
      return { kind: 'our_fault', code, detail };
    case 'unknown':
      return { kind: 'unknown', code };
  }
}
