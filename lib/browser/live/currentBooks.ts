/** Markets whose book the page has live and complete: the others are polled. */
export const currentBooks = new Set<string>();
