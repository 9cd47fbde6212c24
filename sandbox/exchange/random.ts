/** Deterministic randomness: every random value is a function of the seed. */

/** A 32-bit hash of any mix of texts and integers (FNV-1a with a murmur finish). */
export function hash32(...parts: (string | number)[]): number {
  let h = 0x811c9dc5;
  for (const part of parts) {
    const text = typeof part === 'number' ? part.toString(36) : part;
    for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
    h = Math.imul(h ^ 0x7c, 0x01000193);
  }
  return finish(h);
}

/** A number in [0, 1) that depends only on the parts. */
export function unit(...parts: (string | number)[]): number {
  return hash32(...parts) / 4_294_967_296;
}

/** One of the items, by hash. */
export function pick<T>(items: readonly T[], ...parts: (string | number)[]): T {
  const item = items[hash32(...parts) % items.length];
  if (item === undefined) throw new RangeError('pick() needs at least one item');
  return item;
}

/** Continuous value noise in [-1, 1] along `x`, one independent value per integer. */
export function smoothNoise(seed: number, x: number): number {
  return noiseAt(x)(seed);
}

/** The same at one place, for many seeds. */
export function noiseAt(x: number): (seed: number) => number {
  const cell = Math.floor(x);
  const t = x - cell;
  const eased = t * t * (3 - 2 * t);
  const before = saltOf(cell);
  const after = saltOf(cell + 1);
  return (seed) => {
    const from = cellValue(seed, cell, before);
    return from + (cellValue(seed, cell + 1, after) - from) * eased;
  };
}

/** The part of a cell's value that is the same for all seeds. */
function saltOf(cell: number): number {
  const high = Math.floor(cell / 4_294_967_296) | 0;
  return Math.imul(high + 0x7f4a7c15, 0x85ebca6b);
}

function cellValue(seed: number, cell: number, salt: number): number {
  return finish(Math.imul(seed ^ (cell | 0), 0x9e3779b1) ^ salt) / 2_147_483_648 - 1;
}

function finish(value: number): number {
  let h = value;
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  h ^= h >>> 16;
  return h >>> 0;
}
