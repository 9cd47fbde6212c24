import { useNow } from '#components/ui/clock.ts';
import { Until } from '#components/ui/Durations.tsx';

type OpensInProps = { openTime: string; renderedAtMs: number };

/** A countdown to the opening; after it, a message that trading is about to start. */
export function OpensIn({ openTime, renderedAtMs }: OpensInProps) {
  const now = useNow() ?? renderedAtMs;
  if (Date.parse(openTime) <= now) return 'Opening soon';
  return (
    <>
      Opens in <Until at={openTime} renderedAtMs={renderedAtMs} />
    </>
  );
}
