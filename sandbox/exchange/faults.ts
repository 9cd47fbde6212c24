/**
 * Misbehaviour on request. Each fault is armed by the control endpoint and stays until it has
 * happened `times` times or is cleared.
 */
export type FaultKind =
  /** The order is accepted, the answer never comes. */
  | 'order_accept_then_timeout'
  /** 503 and nothing happened. */
  | 'order_5xx_before'
  /** The order is accepted, the answer is 500. */
  | 'order_5xx_after'
  /** 429 without any header. */
  | 'rate_limit'
  /** As if the account's cash were used up. */
  | 'insufficient_balance'
  /** The connection is cut before anything is read or after it was done. */
  | 'drop_before'
  | 'drop_after'
  /** Killed for lack of volume, as an error instead of an empty order. */
  | 'ioc_as_409'
  /** Fills are listed twice. */
  | 'duplicate_fills'
  /** Pages come back in no order. */
  | 'shuffled_pages'
  /** Errors come flat instead of nested. */
  | 'flat_errors'
  /** Answers that are not JSON. */
  | 'html_answer'
  /** 503 with the exchange's status as the body, for anything but an order. */
  | 'read_5xx'
  /** 409 although nothing is paused; nothing was accepted and the id may be used again. */
  | 'order_paused';

export type ArmedFault = { kind: FaultKind; times: number; path?: string };

export type Faults = {
  armed: ArmedFault[];
  /** How far reads of orders, fills, positions and balance lag behind. */
  readLagMs: number;
  /** How far the list of fills lags behind everything else. */
  fillLagMs: number;
  /** Added to every answer's time. */
  latencyMs: number;
  /** How far the clock is off by which the exchange judges signatures and dates its answers. */
  clockSkewMs: number;
  /** Sockets stay open but say nothing. */
  socketSilent: boolean;
  /** The next messages of sequenced channels that are lost. */
  socketDrop: number;
  /** The next messages that are sent twice, or in the wrong order. */
  socketDuplicate: number;
  socketSwap: number;
};

export function createFaults(): Faults {
  return {
    armed: [],
    readLagMs: 0,
    fillLagMs: 0,
    latencyMs: 0,
    clockSkewMs: 0,
    socketSilent: false,
    socketDrop: 0,
    socketDuplicate: 0,
    socketSwap: 0,
  };
}

/** Whether a fault happens now; counts it down when it does. */
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
