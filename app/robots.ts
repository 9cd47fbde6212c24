import type { MetadataRoute } from 'next';

/** Personal pages are excluded from search engines. */
export default function robots(): MetadataRoute.Robots {
  return {
    rules: {
      userAgent: '*',
      allow: '/',
      disallow: [
        '/v1/',
        '/account',
        '/activity',
        '/deposit',
        '/orders',
        '/transactions',
        '/watchlist',
        '/withdraw',
        '/developers/components',
        '/developers/keys',
        '/developers/webhooks',
      ],
    },
  };
}
