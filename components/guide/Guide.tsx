import type { ReactNode } from 'react';
import { NavLink } from '#components/app/NavLink.tsx';
import { GUIDE_PAGES } from '#lib/guidePages.ts';

/** The pages that explain the service. */
export function GuideNav() {
  return (
    <nav aria-label="About Crossbook" className="mb-6 flex flex-wrap gap-x-6 border-b">
      {GUIDE_PAGES.map(({ href, label }) => (
        <NavLink
          key={href}
          href={href}
          className="-mb-px flex min-h-11 items-center border-transparent border-b-2 text-14 text-ink-2 hover:text-ink aria-[current]:border-ink aria-[current]:font-medium aria-[current]:text-ink"
        >
          {label}
        </NavLink>
      ))}
    </nav>
  );
}

type GuideHeadProps = { title: string; children: ReactNode };

export function GuideHead({ title, children }: GuideHeadProps) {
  return (
    <header className="mb-8 max-w-3xl">
      <h1 className="text-balance font-semibold text-26 leading-tight tracking-[-0.015em] md:text-32">
        {title}
      </h1>
      <p className="mt-3 text-pretty text-17 text-ink-2">{children}</p>
    </header>
  );
}

type GuideSectionProps = { id: string; title: string; children: ReactNode };

export function GuideSection({ id, title, children }: GuideSectionProps) {
  return (
    <section aria-labelledby={id} className="mb-10">
      <h2 id={id} className="mb-3 font-semibold text-20 tracking-[-0.01em]">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** Running text at a readable width. */
export function Prose({ children }: { children: ReactNode }) {
  return <div className="grid max-w-2xl gap-3 text-ink-2 [&_b]:text-ink">{children}</div>;
}
