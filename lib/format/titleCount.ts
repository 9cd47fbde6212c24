const COUNT = /^\(\d+\) /;

/** A page's title with how many things are under way before it, as tabs show it; none for 0. */
export function titleWithCount(title: string, count: number): string {
  const bare = title.replace(COUNT, '');
  return count === 0 ? bare : `(${count}) ${bare}`;
}
