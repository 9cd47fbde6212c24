/** A container outside the link keeps the progress out of its accessible name. */
export const LINK_PROGRESS_ID = 'link-progress';
