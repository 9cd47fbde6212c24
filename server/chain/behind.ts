import {
  BaseError,
  BlockNotFoundError,
  type PublicClient,
  RpcRequestError,
  TransactionNotFoundError,
  withRetry,
} from 'viem';

/** What Geth, Reth and Erigon respond about a state whose block they do not have. */
const LACKS_BLOCK = /(header|block) not found|unknown block/i;
const RETRIES = 5;
const RETRY_PAUSE_MS = 100;

/**
 * Reads a block or transaction that another response has named, or the state at such a block. The node may be one of several behind an
 * address, and this one may not have it yet, so a read that fails for that is repeated for half a
 * second.
 */
export async function retryIfBehind<Reply>(read: () => Promise<Reply>): Promise<Reply> {
  return await withRetry(read, {
    retryCount: RETRIES,
    delay: RETRY_PAUSE_MS,
    shouldRetry: ({ error }) => isBehind(error),
  });
}

/** A block that another response has named. @throws {BlockNotFoundError} when it is not there */
export async function readKnownBlock(client: PublicClient, blockNumber: bigint) {
  return await retryIfBehind(() => client.getBlock({ blockNumber }));
}

function isBehind(error: unknown): boolean {
  if (error instanceof BlockNotFoundError || error instanceof TransactionNotFoundError) return true;
  const response =
    error instanceof BaseError ? error.walk((one) => one instanceof RpcRequestError) : undefined;
  return response instanceof RpcRequestError && LACKS_BLOCK.test(response.details);
}
