/** Parses a page's URL parameters and ignores invalid ones. */
export type PageParams = Record<string, string | string[] | undefined>;

export function text(params: PageParams, name: string): string | undefined {
  const value = params[name];
  return typeof value === 'string' && value !== '' ? value.slice(0, 500) : undefined;
}

/** The maximum number of pages of a list; filters narrow longer ones. */
export const MOST_PAGES = 60;

/** From here on a press loads more, so that the end of the page is reachable. */
export const GROWING_PAGES = 10;

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
