/** Full-length words are forgiven the whole threshold; shorter ones in proportion. */
const FULL_LENGTH = 12;

/** How many typing errors a word of this length is forgiven. */
export function allowedErrors(length: number, fuzzyThreshold: number): number {
  if (length < 3) return 0;
  const inProportion = Math.floor((length * fuzzyThreshold) / FULL_LENGTH);
  return Math.min(Math.max(inProportion, fuzzyThreshold > 0 ? 1 : 0), 3);
}

/** Insertions, deletions, replacements and swaps of neighbours; `max + 1` when there are more. */
export function editDistance(a: string, b: string, max: number): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    let smallest = i;
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let distance = Math.min(
        at(previous, j) + 1,
        at(current, j - 1) + 1,
        at(previous, j - 1) + (same ? 0 : 1),
      );
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) distance = Math.min(distance, at(beforePrevious, j - 2) + 1);
      current.push(distance);
      smallest = Math.min(smallest, distance);
    }
    if (smallest > max) return max + 1;
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.MAX_SAFE_INTEGER;
}

/** One bit for each letter that occurs: words that are near share nearly all of them. */
export function letterMask(word: string): number {
  let mask = 0;
  for (let index = 0; index < word.length; index += 1) mask |= 1 << (word.charCodeAt(index) % 31);
  return mask;
}

/** Each error adds or removes at most two letters; more differences mean more errors. */
export function mayBeNear(maskA: number, maskB: number, errors: number): boolean {
  return bitCount(maskA ^ maskB) <= 2 * errors;
}

function bitCount(value: number): number {
  let v = value - ((value >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return (((v + (v >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
