import type { RpcCall } from './rpcCall.ts';

/**
 * A node some blocks behind the newest, like one of several behind a load balancer. It knows no
 * later block, receipt or log.
 */
export type LaggingNode = { head: bigint };

const READS_STATE = new Set([
  'eth_getTransactionCount',
  'eth_getBalance',
  'eth_getCode',
  'eth_call',
]);

/** Whether a call asks for the state of a block that `laggard` does not have. */
export function lacksBlock(laggingNode: LaggingNode, call: RpcCall): boolean {
  if (!READS_STATE.has(String(call.method))) return false;
  const params: unknown[] = Array.isArray(call.params) ? call.params : [];
  const block = params[1];
  return typeof block === 'string' && block.startsWith('0x') && BigInt(block) > laggingNode.head;
}

/** Rewrites a call so that the chain responds as `laggard` would. */
export function asLaggingNode(laggingNode: LaggingNode, call: RpcCall): RpcCall {
  const head = `0x${laggingNode.head.toString(16)}`;
  const given: unknown[] = Array.isArray(call.params) ? call.params : [];
  const params = [...given];
  const atHead = (index: number) => {
    if (params[index] === undefined || params[index] === 'latest') params[index] = head;
    return { ...call, params };
  };
  switch (call.method) {
    case 'eth_getBlockByNumber':
      return params[0] === 'latest' ? atHead(0) : call;
    case 'eth_getTransactionCount':
    case 'eth_getBalance':
    case 'eth_getCode':
    case 'eth_call':
      return atHead(1);
    default:
      return call;
  }
}

/** The chain's response without anything that `laggard` cannot know. */
export function seenByLaggingNode(
  laggingNode: LaggingNode,
  call: RpcCall,
  result: unknown,
): unknown {
  switch (call.method) {
    case 'eth_blockNumber':
      return `0x${laggingNode.head.toString(16)}`;
    case 'eth_getBlockByNumber':
      return isBeyond(laggingNode, result, 'number') ? null : result;
    case 'eth_getBlockByHash':
      return isBeyond(laggingNode, result, 'number') ? null : result;
    case 'eth_getTransactionReceipt':
    case 'eth_getTransactionByHash':
      return isBeyond(laggingNode, result, 'blockNumber') ? null : result;
    case 'eth_getLogs':
      return Array.isArray(result)
        ? result.filter((log) => !isBeyond(laggingNode, log, 'blockNumber'))
        : result;
    default:
      return result;
  }
}

function isBeyond(laggingNode: LaggingNode, value: unknown, field: string): boolean {
  if (value === null || typeof value !== 'object') return false;
  const number = (value as Record<string, unknown>)[field];
  return typeof number === 'string' && BigInt(number) > laggingNode.head;
}
