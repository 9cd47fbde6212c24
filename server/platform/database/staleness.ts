/** How old the data of a standby is, from positions in the primary's log. */
export type Staleness = {
  /** The primary's log reached `position` when it was asked at `at`, in milliseconds. */
  primaryAt(position: bigint, at: number): void;
  /**
   * An upper bound in milliseconds for data replayed up to `position`: every commit that the
   * primary acknowledged longer ago is in it. Infinite while that is unknown.
   */
  of(position: bigint, now: number): number;
};

/** Older positions prove nothing that anyone asks for. */
const KEPT = 240;

/**
 * Compares positions instead of clocks or of the time of the last replayed commit, which is old on
 * every idle database and tells nothing about a standby that is cut off.
 */
export function createStaleness(): Staleness {
  const samples: { position: bigint; at: number }[] = [];
  return {
    primaryAt(position, at) {
      samples.push({ position, at });
      if (samples.length > KEPT) samples.shift();
    },
    of(position, now) {
      const reached = samples.findLast((sample) => sample.position <= position);
      return reached ? now - reached.at : Number.POSITIVE_INFINITY;
    },
  };
}
