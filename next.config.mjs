/** @type {import('next').NextConfig} */
const nextConfig = {
  reactCompiler: true,
  poweredByHeader: false,
  // The production server answers /v1 itself and already sets what a proxy needs.
  compress: true,
  serverExternalPackages: ['pg', 'pg-boss', 'pino', 'ws', 'drizzle-orm'],
};

export default nextConfig;
