import { setTimeout as delay } from 'node:timers/promises';
import { isApiProblem } from '#lib/api/problem.ts';

const TIMEOUT_MS = 90_000;

/**
 * A careful client: retries after a missing response, a 503 or a rate limit. Throws everything
 * else, above all a 500.
 */
export async function insist<Reply>(ask: () => Promise<Reply>): Promise<Reply> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isApiProblem(error) || !mayPass(error.status) || Date.now() > deadline) throw error;
      await delay(Math.min((error.retryAfterSeconds ?? 0.2) * 1000, 2_000));
    }
  }
}

function mayPass(status: number): boolean {
  return status === 0 || status === 503 || status === 502 || status === 429;
}

/** Retries a read of the chain until the node responds. */
export async function readUntilAnswered<Reply>(read: () => Promise<Reply>): Promise<Reply> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(100);
    }
  }
}
