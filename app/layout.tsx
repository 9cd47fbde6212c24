import type { Metadata, Viewport } from 'next';
import localFont from 'next/font/local';
import type { ReactNode } from 'react';
import { FIRST_PAINT_SCRIPT } from '#lib/firstPaintScript.ts';
import { localeAttributes, readerLocale } from '#lib/format/locale.ts';
import { getRuntime } from '#server/api/webRuntime.ts';
import './globals.css';

const sans = localFont({
  src: '../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
  variable: '--font-geist',
  weight: '100 900',
  display: 'swap',
  // Those of fonts.css.
  adjustFontFallback: false,
  fallback: ['Geist as Arial', 'Geist as Roboto', 'Geist as DejaVu'],
});

const mono = localFont({
  src: '../node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2',
  variable: '--font-geist-mono',
  weight: '100 900',
  display: 'swap',
  preload: false,
  // Any monospaced font has its widths.
  adjustFontFallback: false,
});

export async function generateMetadata(): Promise<Metadata> {
  return {
    // For the addresses in it, those of pictures beside a page included.
    metadataBase: new URL((await getRuntime()).config.publicBaseUrl),
    title: { default: 'Crossbook', template: '%s · Crossbook' },
    description: 'Trade prediction markets in USDC from a smart account that only you own.',
    applicationName: 'Crossbook',
    manifest: '/manifest.webmanifest',
  };
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  viewportFit: 'cover',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fbfaf7' },
    { media: '(prefers-color-scheme: dark)', color: '#0e1013' },
  ],
};

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html
      lang="en"
      className={`${sans.variable} ${mono.variable}`}
      {...localeAttributes(readerLocale())}
      suppressHydrationWarning
    >
      <body>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours */}
        <script dangerouslySetInnerHTML={{ __html: FIRST_PAINT_SCRIPT }} />
        {children}
      </body>
    </html>
  );
}
