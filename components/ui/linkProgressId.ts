/** Where the layout has room for the line of `LinkProgress`, so that it is no part of a link's name. */
export const LINK_PROGRESS_ID = 'link-progress';
