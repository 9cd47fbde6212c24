import { hash32, unit } from '#sandbox/exchange/random.ts';

/** Numbers determined by a seed, so that a run can be repeated. */
export type Random = {
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Picks in proportion to each item's `weight`. */
  weighted<Item extends { weight: number }>(items: readonly Item[]): Item;
  /** Another sequence, independent of how many numbers were taken from this one. */
  fork(label: string | number): Random;
};

export function createRandom(seed: number): Random {
  let taken = 0;
  const next = () => {
    taken += 1;
    return unit(seed, taken);
  };
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(next() * items.length)];
    if (item === undefined) throw new RangeError('there is nothing to pick from');
    return item;
  };
  return {
    int: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
    pick,
    weighted(items) {
      let left = next() * items.reduce((sum, item) => sum + item.weight, 0);
      for (const item of items) {
        left -= item.weight;
        if (left < 0) return item;
      }
      return pick(items);
    },
    fork: (label) => createRandom(hash32(seed, label)),
  };
}
