import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

type Fact = { title: string; Icon: LucideIcon; text: ReactNode };

/** Facts side by side. */
export function FactGrid({ facts }: { facts: readonly Fact[] }) {
  return (
    <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {facts.map(({ title, Icon, text }) => (
        <li key={title} className="sheet p-4 md:p-5">
          <Icon aria-hidden className="mb-2 size-5 text-ink-3" />
          <h3 className="font-semibold text-15">{title}</h3>
          <p className="mt-1 text-14 text-ink-2">{text}</p>
        </li>
      ))}
    </ul>
  );
}
