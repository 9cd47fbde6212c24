/**
 * Exchange faults on request. Each is armed by the control endpoint and lasts until it has happened
 * `times` times or is cleared.
 */
export type FaultKind =
  /** The order or its change is accepted, the response never arrives. */
  | 'order_accept_then_timeout'
  /** 503, and nothing happened. */
  | 'order_5xx_before'
  /** The order is accepted, the response is 500. */
  | 'order_5xx_after'
  /** 429 without any header. */
  | 'rate_limit'
  /** As if the account had no cash. */
  | 'insufficient_balance'
  /** The connection breaks before the request is read or after it took effect. */
  | 'drop_before'
  | 'drop_after'
  /** Killed for lack of volume, as an error instead of an empty order. */
  | 'ioc_as_409'
  /** Fills are listed twice. */
  | 'duplicate_fills'
  /** Pages arrive unordered. */
  | 'shuffled_pages'
  /** A cancellation finds no such order, although it rests. */
  | 'cancel_not_found'
  /** A post-only order that would trade is an error instead of an order that has ended. */
  | 'post_only_refused'
  /** Errors are flat instead of nested. */
  | 'flat_errors'
  /** Responses that are not JSON. */
  | 'html_answer'
  /** 503 with the exchange's status as the body, for anything but an order. */
  | 'read_5xx'
  /** 409 although nothing is paused; nothing was accepted and the id may be used again. */
  | 'order_paused'
  /** The same as of an order, of a transfer between shards. */
  | 'transfer_accept_then_timeout'
  | 'transfer_5xx_before'
  | 'transfer_5xx_after';

export type ArmedFault = { kind: FaultKind; times: number; path?: string };

export type Faults = {
  armed: ArmedFault[];
  /** How far reads of orders, fills, positions and balance lag behind. */
  readLagMs: number;
  /** How far the list of fills lags behind everything else. */
  fillLagMs: number;
  /** How long a transfer between shards takes to arrive. */
  transferLatencyMs: number;
  /** Added to every response's latency. */
  latencyMs: number;
  /** The offset of the clock that judges signatures and dates responses. */
  clockSkewMs: number;
  /** Sockets stay open but say nothing. */
  socketSilent: boolean;
  /** The next messages of sequenced channels that are lost. */
  socketDrop: number;
  /** The next messages about orders and fills that are lost; they have no numbers. */
  socketDropOwn: number;
  /** The next messages that are sent twice, or in the wrong order. */
  socketDuplicate: number;
  socketSwap: number;
};

export function createFaults(): Faults {
  return {
    armed: [],
    readLagMs: 0,
    fillLagMs: 0,
    transferLatencyMs: 500,
    latencyMs: 0,
    clockSkewMs: 0,
    socketSilent: false,
    socketDrop: 0,
    socketDropOwn: 0,
    socketDuplicate: 0,
    socketSwap: 0,
  };
}

/** Whether a fault happens now; decrements it if so. */
export function takeFault(faults: Faults, kind: FaultKind, path = ''): boolean {
  const index = faults.armed.findIndex(
    (fault) => fault.kind === kind && (fault.path === undefined || path.includes(fault.path)),
  );
  const fault = faults.armed[index];
  if (!fault) return false;
  fault.times -= 1;
  if (fault.times <= 0) faults.armed.splice(index, 1);
  return true;
}
