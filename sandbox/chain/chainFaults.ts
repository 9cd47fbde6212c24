/**
 * Misbehaviour of a node on request. Each fault is armed through the gate's control and stays until
 * it has happened `times` times or is cleared.
 */
export const CHAIN_FAULTS = [
  /** The node answers with the transaction's hash and forgets the transaction. */
  'broadcast_dropped',
  /** The node refuses without having looked. */
  'broadcast_error_before',
  /** The node takes the transaction and answers an error. */
  'broadcast_error_after',
  /** The node takes the transaction and the connection breaks. */
  'broadcast_cut_after',
  /** The node is handed the transaction twice and answers what it says the second time. */
  'broadcast_twice',
  'logs_error',
  /** As a node that has the block and not yet its logs. */
  'logs_empty',
  /** Every second log is left out. */
  'logs_partial',
  'logs_twice',
  /** The node refuses to tell all receipts of a block. */
  'block_receipts_error',
  /** Mined, and the node does not know it. */
  'receipt_missing',
  /** 503 for a question that changes nothing. */
  'read_error',
] as const;

export type ChainFaultKind = (typeof CHAIN_FAULTS)[number];

export type ChainFaults = {
  armed: { kind: ChainFaultKind; times: number }[];
  /** How far behind the newest block the node says it is. */
  lagBlocks: number;
  /** 1: always behind. 2: every second question reaches a node that is behind, and so on. */
  lagEvery: number;
  /** Added to every answer's time. */
  latencyMs: number;
  /** The node refuses a question whose answer has more logs than this; 0: it never does. */
  mostLogs: number;
};

export function createChainFaults(): ChainFaults {
  return { armed: [], lagBlocks: 0, lagEvery: 1, latencyMs: 0, mostLogs: 0 };
}

/** Whether a fault happens now; counts it down when it does. */
export function takeChainFault(faults: ChainFaults, kind: ChainFaultKind): boolean {
  const index = faults.armed.findIndex((fault) => fault.kind === kind);
  const fault = faults.armed[index];
  if (!fault) return false;
  fault.times -= 1;
  if (fault.times <= 0) faults.armed.splice(index, 1);
  return true;
}
