import type { AmendOrderOutcome, CancelOrderOutcome } from '../restingOrders.ts';
import { errorCodeOf, type HttpResponseBody } from './httpClient.ts';
import { orderOutcome } from './orderOutcome.ts';
import { asWire, countMicros, text } from './wire.ts';

/** Meanings of responses to changes of an order, by the codes that responses to orders have. */

/** The order has ended, or is not ours: inside a batch these come without a status. */
const NOT_FOUND = ['not_found', 'order_not_found'];

/** Interprets the response to a cancellation. */
export function cancelOutcome(response: HttpResponseBody): CancelOrderOutcome {
  if (response.kind === 'answered' && response.status < 300) {
    const { body } = response;
    // Older responses wrap the order.
    const cancelledContractMicros =
      countMicros(body, 'reduced_by') ?? countMicros(asWire(body.order), 'reduced_by');
    if (cancelledContractMicros !== undefined) {
      return { kind: 'cancelled', cancelledContractMicros };
    }
  }
  const outcome = notMade(response);
  // Whatever the exchange finds wrong, it cancelled nothing; the order itself tells why.
  return outcome.kind === 'refused' ? { kind: 'not_resting', code: outcome.code } : outcome;
}

/** Interprets the response to an amendment or a decrease. */
export function amendOutcome(response: HttpResponseBody): AmendOrderOutcome {
  if (response.kind === 'answered' && response.status < 300) {
    const { body } = response;
    if (text(body, 'order_id') !== '' || text(asWire(body.order), 'order_id') !== '') {
      return { kind: 'amended' };
    }
  }
  return notMade(response);
}

function notMade(response: HttpResponseBody): Exclude<AmendOrderOutcome, { kind: 'amended' }> {
  if (response.kind === 'answered' && response.status < 500) {
    const code = errorCodeOf(response.body);
    const isMissing = response.status === 404 || NOT_FOUND.includes(code.toLowerCase());
    if (isMissing) return { kind: 'not_resting', code: code || 'http_404' };
  }
  const outcome = orderOutcome(response);
  switch (outcome.kind) {
    case 'no_fill': {
      const { reason, code } = outcome;
      if (reason === 'market_closed') return { kind: 'not_resting', code };
      return { kind: 'refused', reason, code };
    }
    case 'wait': {
      const { code, retryAt } = outcome;
      return { kind: 'wait', code, ...(retryAt ? { retryAt } : {}) };
    }
    case 'our_fault':
    case 'unknown':
      return outcome;
    // A response of a new order proves nothing about a change.
    case 'done':
      return { kind: 'unknown', code: 'unreadable_answer' };
  }
}
