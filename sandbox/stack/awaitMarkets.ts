import { pollUntil } from '#sandbox/process/poll.ts';
import type { PartContext } from './parts.ts';

const TIMEOUT_MS = 60_000;
const POLL_MS = 150;

/**
 * Waits until the exchange's markets can be listed, so that the first visitor sees some. A slow
 * mirror does not block the start: it continues in the background.
 */
export async function awaitMarkets(part: PartContext, apiKey: string): Promise<void> {
  await part.progress.step('Markets', async (remark) => {
    const listed = await pollUntil(() => hasMarkets(part.baseUrl, apiKey, part.signal), {
      timeoutMs: TIMEOUT_MS,
      everyMs: POLL_MS,
    });
    if (listed === undefined) remark('still being read from the exchange');
  });
}

async function hasMarkets(
  baseUrl: string,
  apiKey: string,
  signal: AbortSignal,
): Promise<true | undefined> {
  signal.throwIfAborted();
  try {
    const response = await fetch(`${baseUrl}/v1/prediction-market/markets?limit=1`, {
      headers: { 'x-api-key': apiKey },
      signal,
    });
    const { count } = (await response.json()) as { count?: number };
    return count !== undefined && count > 0 ? true : undefined;
  } catch {
    return undefined;
  }
}
