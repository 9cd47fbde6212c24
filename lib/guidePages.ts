/** The pages that explain the service, as the site links to them. */
export const GUIDE_PAGES = [
  { href: '/how-it-works', label: 'How it works' },
  { href: '/fees', label: 'Fees' },
  { href: '/help', label: 'Help' },
  { href: '/privacy', label: 'Privacy' },
  { href: '/terms', label: 'Terms' },
] as const;

export const GUIDE_PATHS: readonly string[] = GUIDE_PAGES.map(({ href }) => href);
