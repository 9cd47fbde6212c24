import type { MetadataRoute } from 'next';

export default function manifest(): MetadataRoute.Manifest {
  return {
    id: '/',
    name: 'Crossbook',
    short_name: 'Crossbook',
    description: 'Trade prediction markets in USDC.',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#fbfaf7',
    theme_color: '#fbfaf7',
    categories: ['finance'],
    icons: [
      { src: '/icon.svg', type: 'image/svg+xml', sizes: 'any' },
      { src: '/icons/192', type: 'image/png', sizes: '192x192' },
      { src: '/icons/512', type: 'image/png', sizes: '512x512' },
      { src: '/icons/512', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
    ],
    shortcuts: [
      { name: 'Portfolio', url: '/portfolio' },
      { name: 'Orders', url: '/orders' },
    ],
  };
}
