/** Reads what a page's address says, forgiving whatever does not belong there. */
export type PageParams = Record<string, string | string[] | undefined>;

export function text(params: PageParams, name: string): string | undefined {
  const value = params[name];
  return typeof value === 'string' && value !== '' ? value.slice(0, 500) : undefined;
}

/** The value when it is one of the options, else the first option. */
export function oneOf<T extends string>(
  params: PageParams,
  name: string,
  options: readonly [{ value: T }, ...{ value: T }[]],
): T {
  return options.find((option) => option.value === params[name])?.value ?? options[0].value;
}
