import pg from 'pg';
import { createPublicClient, http } from 'viem';
import { StartProblem } from '#sandbox/problem.ts';
import type { Config } from '#server/platform/config/config.ts';

const TIMEOUT_MS = 5_000;

/** @throws {StartProblem} when the database named in DATABASE_URL rejects the connection */
export async function checkDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
  } catch (cause) {
    throw new StartProblem(
      `The database in DATABASE_URL (${withoutPassword(url)}) cannot be used: ${reasonOf(cause)}`,
      'Correct DATABASE_URL, start that database, or unset it to use the embedded one.',
      { cause },
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Checks that the chain in CHAIN_RPC_URL is the configured one and has our contracts.
 * @throws {StartProblem}
 */
export async function checkChain(chain: Config['chain']): Promise<void> {
  const client = createPublicClient({ transport: http(chain.rpcUrl, { timeout: TIMEOUT_MS }) });
  const host = new URL(chain.rpcUrl).host;
  const id = await client.getChainId().catch((cause: unknown) => {
    throw new StartProblem(
      `The chain in CHAIN_RPC_URL (${host}) is not responding: ${reasonOf(cause)}`,
      'Correct CHAIN_RPC_URL, or unset it to use the embedded chain.',
      { cause },
    );
  });
  if (id !== chain.id) {
    throw new StartProblem(
      `The chain in CHAIN_RPC_URL (${host}) has the id ${id}, but CHAIN_ID says ${chain.id}.`,
      'Correct CHAIN_RPC_URL or CHAIN_ID.',
    );
  }
  for (const [name, address] of Object.entries(chain.contracts)) {
    if (!address) continue;
    const code = await client.getCode({ address });
    if (code && code !== '0x') continue;
    throw new StartProblem(
      `There is no contract at ${address} (${name}) on the chain in CHAIN_RPC_URL (${host}).`,
      'Correct the contract addresses, or deploy the contracts as docs/CONTRACTS.md describes.',
    );
  }
}

/** @throws {StartProblem} when VENUE_URL does not respond */
export async function checkExchange(url: string): Promise<void> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (cause) {
    throw new StartProblem(
      `The exchange in VENUE_URL (${new URL(url).host}) is not responding: ${reasonOf(cause)}`,
      'Correct VENUE_URL, or unset it to use the embedded exchange.',
      { cause },
    );
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return (cause.message || code).split('\n')[0] ?? code;
}

function withoutPassword(url: string): string {
  return url.replace(/\/\/[^@/]*@/, '//…@');
}
