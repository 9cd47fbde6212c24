/**
 * Work of this name runs in one tab of the browser at a time. Plain HTTP has no locks: tabs then work
 * at once.
 */
export function inOneTab<T>(name: string, work: () => Promise<T>): Promise<T> {
  const { locks } = navigator as Partial<Navigator>;
  return locks ? locks.request(`crossbook.${name}`, work) : work();
}
