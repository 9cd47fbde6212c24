/**
 * The id of the layout's container for `LinkProgress`, which keeps it out of a link's accessible
 * name.
 */
export const LINK_PROGRESS_ID = 'link-progress';
