/** Reads what a page's address says, forgiving whatever does not belong there. */
export type PageParams = Record<string, string | string[] | undefined>;

export function text(params: PageParams, name: string): string | undefined {
  const value = params[name];
  return typeof value === 'string' && value !== '' ? value.slice(0, 500) : undefined;
}

/** Pages that a list may be long; a person who wants more narrows it down. */
export const MOST_PAGES = 60;

/** A list grows by itself up to here; then it waits, so that the end of the page can be reached. */
export const GROWING_PAGES = 10;

/** How many pages long the address wants a list. */
export function pageCount(params: PageParams): number {
  const pages = Number(text(params, 'pages') ?? 1);
  return Number.isInteger(pages) ? Math.min(Math.max(pages, 1), MOST_PAGES) : 1;
}

/** The value when it is one of the options, else the first option. */
export function oneOf<T extends string>(
  params: PageParams,
  name: string,
  options: readonly [{ value: T }, ...{ value: T }[]],
): T {
  return options.find((option) => option.value === params[name])?.value ?? options[0].value;
}
