import { ServiceError } from '#server/platform/errors.ts';

/** A quota of open streams. */
export type StreamShare = { name: string; limit: number };

/** Counts the open streams of the process, and of each quota. */
export function createStreamRooms(most: number) {
  const perShare = new Map<string, number>();
  let open = 0;

  /** @throws {ServiceError} `rate_limited` when a quota or the process is full */
  function requireRoom(shares: readonly StreamShare[]): void {
    const isFull = shares.some(({ name, limit }) => (perShare.get(name) ?? 0) >= limit);
    if (!isFull && open < most) return;
    throw new ServiceError('rate_limited', 'Too many open streams. Close one first.', {
      retryAfterSeconds: 10,
    });
  }

  return {
    requireRoom,
    /** Takes a place, and returns its release. @throws {ServiceError} `rate_limited` */
    take(shares: readonly StreamShare[]): () => void {
      requireRoom(shares);
      open += 1;
      for (const { name } of shares) perShare.set(name, (perShare.get(name) ?? 0) + 1);
      return () => {
        open -= 1;
        for (const { name } of shares) {
          const left = (perShare.get(name) ?? 1) - 1;
          if (left > 0) perShare.set(name, left);
          else perShare.delete(name);
        }
      };
    },
  };
}
