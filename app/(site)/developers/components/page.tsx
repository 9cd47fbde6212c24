import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { ControlSamples } from '#components/samples/ControlSamples.tsx';
import { MarketSamples } from '#components/samples/MarketSamples.tsx';
import { TokenSamples } from '#components/samples/TokenSamples.tsx';
import { PageHead } from '#components/ui/PageHead.tsx';

export const metadata: Metadata = { title: 'Components', robots: { index: false, follow: false } };

export default function ComponentsPage() {
  return (
    <>
      <PageHead title="Components">
        Paper and ink. Hairlines replace boxes, teal means Yes and rust means No, and numbers align
        in columns. One file of tokens defines all of it.
      </PageHead>
      <div className="grid gap-12">
        <Part title="Tokens">
          <TokenSamples />
        </Part>
        <Part title="Controls">
          <ControlSamples />
        </Part>
        <Part title="Markets">
          <MarketSamples />
        </Part>
      </div>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <h2 className="border-b pb-2 font-semibold text-19">{title}</h2>
      {children}
    </section>
  );
}
