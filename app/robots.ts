import type { MetadataRoute } from 'next';

/** Pages about one person are for that person. */
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
