/** @type {import('next').NextConfig} */
const nextConfig = {
  reactCompiler: true,
  // `npm test` checks types, over more than the pages; a first start should not wait for it.
  typescript: { ignoreBuildErrors: true },
  // Writing the cache costs a first build more than it saves a later one.
  experimental: { turbopackFileSystemCacheForBuild: false },
  // Our own dialog shows WalletConnect's link; its interface would double what is built.
  turbopack: { resolveAlias: { '@reown/appkit/core': './lib/browser/wallet/noAppKit.ts' } },
  // Every page's title and description come in its head: link previews are made from it, and
  // they need nothing that the page would not wait for anyway.
  htmlLimitedBots: /.*/,
  poweredByHeader: false,
  serverExternalPackages: ['pg', 'pino', 'ws', 'drizzle-orm', 'prom-client', '@opentelemetry/api'],
};

export default nextConfig;
