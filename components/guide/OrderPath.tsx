import { ArrowRight, Check, Lock, Store, Wallet } from 'lucide-react';

const STEPS = [
  {
    Icon: Wallet,
    title: 'You confirm',
    text: 'Amount, outcome and the most you pay. Under your permission no wallet prompt is needed.',
  },
  {
    Icon: Lock,
    title: 'Funds are locked',
    text: 'The vault contract on Base locks the most the order may cost. This is the first transaction.',
  },
  {
    Icon: Store,
    title: 'The exchange fills',
    text: 'The order is matched against the exchange’s book, at your price or better.',
  },
  {
    Icon: Check,
    title: 'You receive',
    text: 'Outcome tokens and unused USDC arrive in your account together, in a second transaction.',
  },
];

/** An order's way, as four steps with arrows between them. */
export function OrderPath() {
  return (
    <div>
      <ol className="grid gap-3 md:grid-cols-4 md:gap-8">
        {STEPS.map(({ Icon, title, text }, index) => (
          <li key={title} className="sheet relative flex gap-3 p-4 md:block">
            <span className="grid size-9 shrink-0 place-items-center rounded-full bg-sunken md:mb-3">
              <Icon aria-hidden className="size-4.5 text-ink-2" />
            </span>
            <div>
              <h3 className="font-semibold text-15">
                <span className="text-ink-3">{index + 1}.</span> {title}
              </h3>
              <p className="mt-0.5 text-14 text-ink-2">{text}</p>
            </div>
            {index < STEPS.length - 1 && (
              <ArrowRight
                aria-hidden
                className="-right-[1.625rem] absolute top-6 size-5 text-ink-3 max-md:hidden"
              />
            )}
          </li>
        ))}
      </ol>
      <p className="mt-3 rounded-md bg-sunken px-4 py-3 text-14 text-ink-2">
        <b className="text-ink">No match at your price?</b> The locked funds return to your account.
        An order ends filled, partly filled with the rest returned, or returned.
      </p>
    </div>
  );
}
