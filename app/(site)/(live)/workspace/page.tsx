import type { Metadata } from 'next';
import { EmptyState } from '#components/ui/EmptyState.tsx';
import { WorkspaceLoader } from '#components/workspace/WorkspaceLoader.tsx';
import { type PageParams, text } from '../../_data/params.ts';

export const metadata: Metadata = { title: 'Workspace' };

type WorkspacePageProps = { searchParams: Promise<PageParams> };

export default async function WorkspacePage({ searchParams }: WorkspacePageProps) {
  const market = text(await searchParams, 'market');
  return (
    <div data-workspace>
      <h1 className="mb-5 font-semibold text-26 leading-tight tracking-[-0.015em] min-[90rem]:sr-only">
        Workspace
      </h1>
      <div className="min-[90rem]:hidden">
        <EmptyState
          title="The workspace needs a wider window"
          link={{
            href: market === undefined ? '/' : `/markets/${encodeURIComponent(market)}`,
            label: market === undefined ? 'Show all markets' : 'Open the market',
            tone: 'primary',
          }}
        >
          It shows several markets, your ticket and your positions side by side, from a width of
          1,440 pixels.
        </EmptyState>
      </div>
      <WorkspaceLoader open={market} />
    </div>
  );
}
