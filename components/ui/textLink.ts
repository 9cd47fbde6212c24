/** The style of a link in running text; apart from `PageLink`, which every page loads first. */
export const TEXT_LINK = 'underline decoration-line-strong underline-offset-4';
