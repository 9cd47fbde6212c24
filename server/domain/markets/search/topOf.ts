/**
 * The first `count` items in the order of `before`, sorted. Keeps a heap of that size with the last
 * one on top, so that a long list is walked once and never sorted.
 */
export function topOf(
  items: ArrayLike<number>,
  length: number,
  count: number,
  before: (a: number, b: number) => number,
): number[] {
  const heap: number[] = [];
  for (let index = 0; index < length; index += 1) {
    const item = items[index] ?? 0;
    if (heap.length < count) {
      heap.push(item);
      if (heap.length === count) for (let i = count >> 1; i >= 0; i -= 1) sink(heap, i, before);
    } else if (count > 0 && before(item, heap[0] ?? 0) < 0) {
      heap[0] = item;
      sink(heap, 0, before);
    }
  }
  return heap.sort(before);
}

function sink(heap: number[], from: number, before: (a: number, b: number) => number): void {
  let index = from;
  for (;;) {
    const left = 2 * index + 1;
    let last = index;
    for (const child of [left, left + 1]) {
      if (child < heap.length && before(heap[child] ?? 0, heap[last] ?? 0) > 0) last = child;
    }
    if (last === index) return;
    [heap[index], heap[last]] = [heap[last] ?? 0, heap[index] ?? 0];
    index = last;
  }
}
