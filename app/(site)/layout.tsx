import type { ReactNode } from 'react';
import { BottomNav, SiteFooter, SiteHeader } from '#components/app/SiteFrame.tsx';
import { SiteProvider } from '#components/app/SiteProvider.tsx';
import { LINK_PROGRESS_ID } from '#components/ui/linkProgressId.ts';
import { getPublicConfig } from '#server/api/publicConfig.ts';
import { getRuntime } from '#server/api/webRuntime.ts';

// The configuration and the prices are those of the running service, not of the build.
export const dynamic = 'force-dynamic';

export default async function SiteLayout({ children }: { children: ReactNode }) {
  const site = getPublicConfig((await getRuntime()).config);
  return (
    <SiteProvider site={site}>
      <SiteHeader sandbox={site.sandbox} />
      <main
        id="main"
        className="page-width min-h-[calc(100dvh-var(--header-height))] lg:min-h-[calc(100dvh-12.75rem)] pt-6 md:pt-8"
      >
        {children}
      </main>
      <SiteFooter sandbox={site.sandbox} />
      <BottomNav />
      <div role="status" id={LINK_PROGRESS_ID} />
    </SiteProvider>
  );
}
