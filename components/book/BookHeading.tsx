import type { ReactNode } from 'react';

type BookHeadingProps = {
  id: string;
  title: string;
  /** The market's name, if the page shows several markets. */
  label: string | undefined;
  children?: ReactNode;
};

export function BookHeading({ id, title, label, children }: BookHeadingProps) {
  return (
    <div className="mb-3 flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <h2 id={id} className="min-w-0 font-semibold text-17">
        {title}
        {label && (
          <span className="wrap-anywhere block font-normal text-14 text-ink-2">{label}</span>
        )}
      </h2>
      {children}
    </div>
  );
}
