import { ERRORS_FOR_PEOPLE } from '#components/guide/errorsForPeople.ts';
import { Notice } from '#components/ui/Notice.tsx';

const TEXTS: Partial<Record<string, { text: string }>> = ERRORS_FOR_PEOPLE;

const MARKET_CHANGED = 'The market changed meanwhile.';
const SIGNED_OTHERWISE =
  'This order filled more before it ended, or you signed a new permission, so what your device had signed no longer fitted.';

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
      {code === 'changed_since_signed' ? SIGNED_OTHERWISE : (TEXTS[code]?.text ?? MARKET_CHANGED)}{' '}
      This order has ended, and nothing rests in its place.
    </Notice>
  );
}
