import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Contact } from '#components/guide/Contact.tsx';
import { ERROR_TOPICS, ERRORS_FOR_PEOPLE } from '#components/guide/errorsForPeople.ts';
import { GuideHead, GuideSection, Prose } from '#components/guide/Guide.tsx';
import { TextLink } from '#components/ui/TextLink.tsx';
import { ERROR_CODES } from '#lib/api/errorCodes.ts';
import { getRuntime } from '#server/api/webRuntime.ts';
import { IDLE_DAYS, LONGEST_DAYS } from '#server/domain/auth/refreshTokens.ts';
import { TERMINATION_REASONS } from '#server/domain/orders/lifecycle/terminationReasons.ts';
import { pageMetadata } from '../../_data/pageMetadata.ts';

export const metadata = pageMetadata({
  path: '/help',
  title: 'Help',
  description:
    'Where your order is, why it was refused or ended, how to withdraw, and what to do without a permission.',
});

export default async function HelpPage() {
  const { contact } = (await getRuntime()).config.provider;
  return (
    <>
      <GuideHead title="Help">
        Most questions are about one order. Its page under{' '}
        <TextLink href="/orders">Orders</TextLink> shows each step and where the money is.
      </GuideHead>
      <div className="grid gap-x-12 lg:grid-cols-2">
        <OrderQuestions />
        <AccountQuestions />
      </div>
      <Refusals />
      <Endings />
      <GuideSection id="contact" title="Contact">
        <Prose>
          <p>
            {contact === undefined ? (
              'The operator of this site has not published a contact.'
            ) : (
              <>
                Write to <Contact contact={contact} />. Include the order’s number and your wallet’s
                address.
              </>
            )}{' '}
            Never share your wallet’s recovery phrase: no one at Crossbook asks for it.
          </p>
          <p>
            The <TextLink href="/status">status page</TextLink> shows whether a part of Crossbook
            has a problem now.
          </p>
        </Prose>
      </GuideSection>
    </>
  );
}

function OrderQuestions() {
  return (
    <GuideSection id="orders" title="Orders">
      <Question title="Where is my order?">
        Under <TextLink href="/orders">Orders</TextLink>. <b>Received</b>: accepted, nothing locked.{' '}
        <b>Funds locked</b>: the vault holds what it may cost. <b>Waits for</b>: a stop order whose
        price has not been reached. <b>Resting</b>: a limit order waits in the book for its price.{' '}
        <b>At the exchange</b>: it is filled, or its result is being delivered. Then it has ended,
        and its page shows what arrived and what returned.
      </Question>
      <Question title="It takes longer than a few seconds. Is my money lost?">
        No. A closed exchange, a paused market or a slow chain can delay an order until it expires,
        usually after ten minutes. Then its locked funds return to your account. Anyone can trigger
        this, so it works even if Crossbook is down. A limit order rests until the end that you
        chose.
      </Question>
      <Question title="Why did I get fewer contracts than I ordered?">
        The exchange had only that many at your price limit. The rest of the money returned to your
        account; the order’s page shows both amounts.
      </Question>
      <Question title="Can I cancel?">
        A limit or stop order that waits: at any time, in the list of open orders or on its page.
        What has filled by then is yours, the rest returns. A market order: until its funds are
        locked, usually for less than a second. An order for your wallet: until the wallet sends it.
      </Question>
      <Question title="Can I change an order that rests?">
        Press Amend in the list of open orders for another price or size. A change that needs more
        than the order has locked ends it, and a new order takes its place.
      </Question>
      <Question title="I hold Yes and No of one market. Must I wait for the result?">
        No. A pair of them is worth $1.00 whatever happens, so the vault pays it at once: press
        Merge on the market’s page or in your <TextLink href="/portfolio">portfolio</TextLink>.
        Crossbook charges no fee; your wallet sends the transaction and pays the network fee.
      </Question>
      <Question title="When do I get my winnings?">
        The exchange confirms the result first, then the payout opens after a short delay. The USDC
        then arrives in your account automatically. If you turned automatic payouts off under{' '}
        <TextLink href="/account">Account</TextLink>, press Redeem in your{' '}
        <TextLink href="/portfolio">portfolio</TextLink>. Payouts do not expire.
      </Question>
    </GuideSection>
  );
}

function AccountQuestions() {
  return (
    <GuideSection id="account" title="Account and money">
      <Question title="How do I add money?">
        With USDC on Base, from your wallet or an exchange. The{' '}
        <TextLink href="/deposit">Deposit page</TextLink> has your address and the steps.
      </Question>
      <Question title="How do I withdraw?">
        On the <TextLink href="/withdraw">Withdraw page</TextLink>: choose USDC or contracts, an
        amount and an address. To any address but your own wallet’s, and without a permission, your
        wallet signs the withdrawal. Crossbook pays the network fee. If Crossbook is down, your
        wallet can call your account’s contract itself.
      </Question>
      <Question title="My permission has expired, or I revoked it. What happens?">
        Your money and positions stay in your account. To trade again, sign a new permission on any
        ticket or on the <TextLink href="/account">Account page</TextLink>. You can withdraw without
        one.
      </Question>
      <Question title="How do I trade on another device, or stop one that I lost?">
        Sign in there, and the ticket offers to add that device to your permission with one
        signature. The <TextLink href="/account">Account page</TextLink> lists the devices and
        removes any: from then on it can place no orders.
      </Question>
      <Question title="How long do I stay signed in?">
        Up to {LONGEST_DAYS} days on each device, if you return within {IDLE_DAYS}. The{' '}
        <TextLink href="/account">Account page</TextLink> lists your devices and signs them out.
      </Question>
      <Question title="I lost access to my wallet. Can Crossbook help?">
        No. Only your wallet controls the account. Restore the wallet with its recovery phrase or
        passkey, and the account opens as before.
      </Question>
      <Question title="I lost the passkey of my account. Can Crossbook help?">
        No: Crossbook never has the key. Your passkey manager brings it back on a new device. If it
        is gone, any other owner that you added on the{' '}
        <TextLink href="/account">Account page</TextLink> opens the account: sign in with the second
        passkey, or connect the wallet and add a new passkey. Without another owner the money is
        lost, so add one early.
      </Question>
      <Question title="I sent another token, or used another network. Is it lost?">
        Not on Base: the token is in your account, and your wallet can move it. On another network
        it may be lost; the <TextLink href="/deposit">Deposit page</TextLink> says what to do.
      </Question>
      <Question title="Is my money insured?">
        No. There is no deposit insurance.{' '}
        <TextLink href="/how-it-works#risks">What you rely on</TextLink> lists the risks.
      </Question>
    </GuideSection>
  );
}

type Topic = keyof typeof ERROR_TOPICS;
type PeopleCode = keyof typeof ERRORS_FOR_PEOPLE;

function codesOf(topic: Topic): PeopleCode[] {
  const codes = Object.keys(ERRORS_FOR_PEOPLE) as PeopleCode[];
  return codes.filter((code) => ERRORS_FOR_PEOPLE[code].topic === topic);
}

function Refusals() {
  return (
    <GuideSection id="refused" title="Why was my order refused?">
      <p className="mb-5 max-w-2xl text-ink-2">
        A refused order moves no money. Find the page’s message here; its link has the details.
      </p>
      <div className="grid gap-x-12 lg:grid-cols-2">
        {(Object.keys(ERROR_TOPICS) as Topic[]).map((topic) => (
          <Question key={topic} title={ERROR_TOPICS[topic]}>
            <ul>
              {codesOf(topic).map((code) => (
                <Entry key={code} title={ERROR_CODES[code].title} href={`/docs/errors/${code}`}>
                  {ERRORS_FOR_PEOPLE[code].text}
                </Entry>
              ))}
            </ul>
          </Question>
        ))}
      </div>
    </GuideSection>
  );
}

function Endings() {
  const reasons = Object.entries(TERMINATION_REASONS);
  return (
    <GuideSection id="ended" title="Why did my order end without a fill?">
      <p className="mb-3 max-w-2xl text-ink-2">
        The order’s page names the reason and what returned. Most often the price moved first, so
        nothing matched at your price limit. Order again at the new price.
      </p>
      <Question title={`All ${reasons.length} reasons`}>
        <ul>
          {reasons.map(([code, text]) => (
            <li key={code} className="border-t py-2 text-14 first:border-t-0">
              {text}
            </li>
          ))}
        </ul>
      </Question>
    </GuideSection>
  );
}

type EntryProps = { title: string; href: string; children: ReactNode };

function Entry({ title, href, children }: EntryProps) {
  return (
    <li className="border-t py-2.5 text-14 first:border-t-0">
      <b className="font-medium">
        <TextLink href={href}>{title}</TextLink>
      </b>
      <p className="mt-0.5 text-ink-2">{children}</p>
    </li>
  );
}

function Question({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="group border-t">
      <summary className="flex min-h-12 list-none items-center justify-between gap-3 py-2 font-medium text-15 [&::-webkit-details-marker]:hidden">
        {title}
        <ChevronDown
          aria-hidden
          className="size-4 shrink-0 text-ink-3 transition-transform duration-(--quick) group-open:rotate-180"
        />
      </summary>
      <div className="pb-4 text-ink-2 [&_b]:text-ink">{children}</div>
    </details>
  );
}
