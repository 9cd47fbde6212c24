import { setTimeout as delay } from 'node:timers/promises';
import { type Hex, keccak256 } from 'viem';
import { type ChainFaults, takeChainFault } from './chainFaults.ts';
import type { RpcCall, RpcResponse } from './rpcCall.ts';

export type NodeReply = { result: unknown } | { error: { code: number; message: string } };

/** The gate's response to a call, instead of passing it on unchanged. */
export type Detour =
  | { kind: 'reply'; reply: NodeReply }
  | { kind: 'unavailable' }
  | { kind: 'cut' }
  | { kind: 'pass' };

const INTERNAL_ERROR = { error: { code: -32_603, message: 'internal error' } } as const;
const TOO_MANY_LOGS = {
  error: { code: -32_005, message: 'query returned more results than the limit' },
} as const;
const BROADCASTS = new Set(['eth_sendRawTransaction', 'eth_sendRawTransactionSync']);

/** Faults before the chain is called. */
export async function detourBefore(faults: ChainFaults, call: RpcCall): Promise<Detour> {
  if (faults.latencyMs > 0) await delay(faults.latencyMs);
  if (!BROADCASTS.has(String(call.method))) {
    return takeChainFault(faults, 'read_error') ? { kind: 'unavailable' } : { kind: 'pass' };
  }
  if (takeChainFault(faults, 'broadcast_error_before')) {
    return { kind: 'reply', reply: INTERNAL_ERROR };
  }
  if (!takeChainFault(faults, 'broadcast_dropped')) return { kind: 'pass' };
  const [raw] = call.params as [Hex];
  return { kind: 'reply', reply: { result: keccak256(raw) } };
}

/** Faults applied to the chain's response. */
export function detourAfter(faults: ChainFaults, call: RpcCall, response: RpcResponse): Detour {
  const method = String(call.method);
  if (BROADCASTS.has(method)) {
    if (takeChainFault(faults, 'broadcast_cut_after')) return { kind: 'cut' };
    return takeChainFault(faults, 'broadcast_error_after')
      ? { kind: 'reply', reply: INTERNAL_ERROR }
      : { kind: 'pass' };
  }
  if (method === 'eth_getTransactionReceipt' && response.result) {
    return takeChainFault(faults, 'receipt_missing')
      ? { kind: 'reply', reply: { result: null } }
      : { kind: 'pass' };
  }
  if (method === 'eth_getBlockReceipts') {
    return takeChainFault(faults, 'block_receipts_error')
      ? { kind: 'reply', reply: INTERNAL_ERROR }
      : { kind: 'pass' };
  }
  return method === 'eth_getLogs' ? detourOfLogs(faults, response) : { kind: 'pass' };
}

function detourOfLogs(faults: ChainFaults, response: RpcResponse): Detour {
  if (takeChainFault(faults, 'logs_error')) return { kind: 'reply', reply: INTERNAL_ERROR };
  const logs: unknown[] = Array.isArray(response.result) ? response.result : [];
  if (faults.mostLogs > 0 && logs.length > faults.mostLogs) {
    return { kind: 'reply', reply: TOO_MANY_LOGS };
  }
  // An armed fault waits for a response with logs to remove.
  if (logs.length === 0) return { kind: 'pass' };
  if (takeChainFault(faults, 'logs_empty')) return { kind: 'reply', reply: { result: [] } };
  if (takeChainFault(faults, 'logs_partial')) {
    const kept = logs.filter((_, index) => index % 2 === 1);
    return { kind: 'reply', reply: { result: kept } };
  }
  return takeChainFault(faults, 'logs_twice')
    ? { kind: 'reply', reply: { result: [...logs, ...logs] } }
    : { kind: 'pass' };
}
