const COUNT = /^\(\d+\) /;

/** A page's title prefixed with the number of pending items; no prefix for 0. */
export function titleWithCount(title: string, count: number): string {
  const bare = title.replace(COUNT, '');
  return count === 0 ? bare : `(${count}) ${bare}`;
}
