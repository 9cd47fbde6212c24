export const MOST_ERRORS = 3;

/**
 * How many typing errors a word of this length may have: none in words shorter than the threshold,
 * and none at all with a threshold of 0.
 */
export function allowedErrors(length: number, fuzzyThreshold: number): number {
  if (fuzzyThreshold === 0 || length < fuzzyThreshold) return 0;
  if (length < 7) return 1;
  return length < 10 ? 2 : MOST_ERRORS;
}

const LONGEST = 64;
/** Three rows of the table, reused by every computation. */
const rows = [0, 1, 2].map(() => new Uint8Array(LONGEST + 1));

/**
 * Counts insertions, deletions, replacements and swaps of neighbours; `max + 1` when there are
 * more, or when a word is longer than every indexed one.
 */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  if (a.length > LONGEST || b.length > LONGEST) return a === b ? 0 : max + 1;
  let [beforePrevious, previous, current] = rows as [Uint8Array, Uint8Array, Uint8Array];
  for (let j = 0; j <= b.length; j += 1) previous[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    const letter = a.charCodeAt(i - 1);
    const letterBefore = i > 1 ? a.charCodeAt(i - 2) : -1;
    current[0] = i;
    let smallest = i;
    for (let j = 1; j <= b.length; j += 1) {
      const other = b.charCodeAt(j - 1);
      let distance = at(previous, j - 1) + (letter === other ? 0 : 1);
      distance = Math.min(distance, at(previous, j) + 1, at(current, j - 1) + 1);
      if (j > 1 && letter === b.charCodeAt(j - 2) && letterBefore === other) {
        distance = Math.min(distance, at(beforePrevious, j - 2) + 1);
      }
      current[j] = distance;
      if (distance < smallest) smallest = distance;
    }
    if (smallest > max) return max + 1;
    [beforePrevious, previous, current] = [previous, current, beforePrevious];
  }
  return Math.min(at(previous, b.length), max + 1);
}

function at(row: Uint8Array, index: number): number {
  return row[index] ?? 0;
}

/** One bit for each letter that occurs: similar words share nearly all of them. */
export function letterMask(word: string): number {
  let mask = 0;
  for (let index = 0; index < word.length; index += 1) mask |= 1 << (word.charCodeAt(index) % 31);
  return mask;
}

/** Each error adds or removes at most two letters; more differences mean more errors. */
export function canBeNear(maskA: number, maskB: number, errors: number): boolean {
  return bitCount(maskA ^ maskB) <= 2 * errors;
}

function bitCount(value: number): number {
  let v = value - ((value >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return (((v + (v >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
