/** A URL with only the values that differ from the defaults. */
export function filterHref<T extends Record<string, string | undefined>>(
  path: string,
  filter: T,
  defaults: T,
): string {
  const query = new URLSearchParams();
  for (const name of Object.keys(defaults)) {
    const value = filter[name];
    if (value && value !== defaults[name]) query.set(name, value);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}
