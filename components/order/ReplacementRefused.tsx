import { ERRORS_FOR_PEOPLE } from '#components/guide/errorsForPeople.ts';
import { Notice } from '#components/ui/Notice.tsx';

const TEXTS: Partial<Record<string, { text: string }>> = ERRORS_FOR_PEOPLE;

/** Why the order that was to take another one's place was not placed. */
export function ReplacementRefused({ code }: { code: string }) {
  if (code === 'filled') {
    return (
      <Notice title="Your change came too late">
        The order had filled its new size before it ended. No other order took its place.
      </Notice>
    );
  }
  return (
    <Notice tone="caution" title="The order with your changes was not placed">
      {TEXTS[code]?.text ?? 'The market changed meanwhile.'} This order has ended, and nothing rests
      in its place.
    </Notice>
  );
}
