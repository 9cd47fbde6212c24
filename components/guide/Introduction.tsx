import { PageLink } from '#components/ui/PageLink.tsx';
import { TEXT_LINK } from '#components/ui/textLink.ts';
import { cents, contracts, dollars } from '#lib/format/money.ts';
import type { FeeExample } from './feeExample.ts';

const STEPS = [
  {
    title: 'Sign in',
    text: 'You get a smart account on Base that only you own.',
  },
  { title: 'Add USDC', text: 'From a wallet or an exchange, in any amount.' },
  {
    title: 'Buy Yes or No',
    text: 'Each contract pays $1.00 if you are right. Sell at any time before.',
  },
];

/** What the site is, for a visitor without a wallet; a returning user sees the markets first. */
export function Introduction({ example }: { example: FeeExample }) {
  return (
    <section
      aria-labelledby="introduction"
      className="mb-8 grid gap-x-12 gap-y-5 border-b pb-7 remembered:hidden lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]"
    >
      <div>
        <h2
          id="introduction"
          className="text-balance font-semibold text-26 leading-tight tracking-[-0.02em] md:text-32"
        >
          Trade what happens next, from an account that only you own
        </h2>
        <p className="mt-2 text-pretty text-ink-2 max-md:hidden">
          Sports, elections, weather, rates: a price of {cents(example.priceMicros)} means the
          market sees a {example.priceMicros / 10_000n}% chance.
        </p>
      </div>
      <div className="grid content-start gap-4">
        <ol className="grid gap-x-6 gap-y-3 sm:grid-cols-3">
          {STEPS.map(({ title, text }, index) => (
            <li key={title} className="flex gap-2.5 sm:block">
              <span
                aria-hidden
                className="nums grid size-6 shrink-0 place-items-center rounded-full bg-ink font-semibold text-13 text-on-ink sm:mb-2"
              >
                {index + 1}
              </span>
              <div>
                <p className="font-semibold text-15">{title}</p>
                <p className="text-14 text-ink-2">{text}</p>
              </div>
            </li>
          ))}
        </ol>
        <dl className="grid gap-x-6 gap-y-2 border-t pt-4 text-14 sm:grid-cols-2">
          <div>
            <dt className="font-semibold">What it costs</dt>
            <dd className="text-ink-2">
              The exchange’s fee only: {dollars(example.feeMicros)} on{' '}
              {contracts(example.contractMicros)} contracts at {cents(example.priceMicros)}.{' '}
              <PageLink href="/fees" className={TEXT_LINK}>
                Fees
              </PageLink>
            </dd>
          </div>
          <div>
            <dt className="font-semibold">Why it is safe</dt>
            <dd className="text-ink-2">
              You set the limits; each order settles on chain or your money returns.{' '}
              <PageLink href="/how-it-works" className={TEXT_LINK}>
                How it works
              </PageLink>
            </dd>
          </div>
        </dl>
      </div>
    </section>
  );
}
