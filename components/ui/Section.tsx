import clsx from 'clsx';
import type { ReactNode } from 'react';

type SectionProps = {
  id: string;
  title: string;
  className?: string;
  headClassName?: string;
  children: ReactNode;
};

/** A part of a page, named by its heading. */
export function Section({ id, title, className, headClassName = 'mb-3', children }: SectionProps) {
  return (
    <section className={className} aria-labelledby={id}>
      <h2 id={id} className={clsx('font-semibold text-17', headClassName)}>
        {title}
      </h2>
      {children}
    </section>
  );
}
