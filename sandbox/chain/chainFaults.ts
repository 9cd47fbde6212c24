/**
 * Node faults on request. Each fault is armed through the gate's control and lasts until it has
 * happened `times` times or is cleared.
 */
export const CHAIN_FAULTS = [
  /** The node returns the transaction's hash and drops the transaction. */
  'broadcast_dropped',
  /** The node rejects without reading the transaction. */
  'broadcast_error_before',
  /** The node accepts the transaction and returns an error. */
  'broadcast_error_after',
  /** The node accepts the transaction and the connection breaks. */
  'broadcast_cut_after',
  /** The node receives the transaction twice and returns its second response. */
  'broadcast_twice',
  'logs_error',
  /** The node has the block but not yet its logs. */
  'logs_empty',
  /** Every second log is left out. */
  'logs_partial',
  'logs_twice',
  /** The node returns no block receipts. */
  'block_receipts_error',
  /** Mined, but the node does not know it. */
  'receipt_missing',
  /** 503 for a request that changes nothing. */
  'read_error',
] as const;

export type ChainFaultKind = (typeof CHAIN_FAULTS)[number];

export type ChainFaults = {
  armed: { kind: ChainFaultKind; times: number }[];
  /** How far behind the newest block the node reports to be. */
  lagBlocks: number;
  /** 1: always behind. 2: every second request reaches a lagging node, and so on. */
  lagEvery: number;
  /** Added to every response's latency. */
  latencyMs: number;
  /** The node rejects requests whose result has more logs than this; 0: never. */
  mostLogs: number;
};

export function createChainFaults(): ChainFaults {
  return { armed: [], lagBlocks: 0, lagEvery: 1, latencyMs: 0, mostLogs: 0 };
}

/** Whether a fault happens now; decrements it if so. */
export function takeChainFault(faults: ChainFaults, kind: ChainFaultKind): boolean {
  const index = faults.armed.findIndex((fault) => fault.kind === kind);
  const fault = faults.armed[index];
  if (!fault) return false;
  fault.times -= 1;
  if (fault.times <= 0) faults.armed.splice(index, 1);
  return true;
}
