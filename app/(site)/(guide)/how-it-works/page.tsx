import { FileSignature, Hourglass, KeyRound, Landmark, LifeBuoy, Lock } from 'lucide-react';
import { FactGrid } from '#components/guide/FactGrid.tsx';
import { GuideHead, GuideSection, Prose } from '#components/guide/Guide.tsx';
import { OrderPath } from '#components/guide/OrderPath.tsx';
import { PlainTable } from '#components/guide/PlainTable.tsx';
import { PriceRuler } from '#components/guide/PriceRuler.tsx';
import { TextLink } from '#components/ui/TextLink.tsx';
import { USUAL_LIMITS } from '#lib/browser/account/grantLimits.ts';
import { dollars } from '#lib/format/money.ts';
import { parseMicros } from '#lib/money.ts';
import { pageMetadata } from '../../_data/pageMetadata.ts';

export const metadata = pageMetadata({
  path: '/how-it-works',
  title: 'How it works',
  description:
    'How a prediction market works, what happens to an order on Crossbook, and who can do what with your funds.',
});

const PER_ORDER = dollars(parseMicros(USUAL_LIMITS.maxPerOrder));
const PER_DAY = dollars(parseMicros(USUAL_LIMITS.maxPerDay));

export default function HowItWorksPage() {
  return (
    <>
      <GuideHead title="How it works">
        A market asks a question with two outcomes, Yes and No. A contract on the right outcome pays
        $1.00, one on the other pays nothing. You trade both from a smart account that only your
        wallet owns.
      </GuideHead>
      <Price />
      <Order />
      <Safety />
      <Powers />
      <Risks />
    </>
  );
}

function Price() {
  return (
    <GuideSection id="price" title="A price is a chance">
      <div className="grid gap-6 lg:grid-cols-2 lg:items-center">
        <Prose>
          <p>
            Yes at <b>62¢</b> means that traders see a chance of about 62%. You buy it when you
            think that the chance is higher, and No, at about 38¢, when you think that it is lower.
          </p>
          <p>
            If you are right, each contract pays $1.00: a profit of 38¢ on 62¢, before the fee. If
            you are wrong, you lose what you paid, and never more than that. You can sell before the
            result, at the price of that moment.
          </p>
          <p>
            <b>Some markets pay a value in between</b>, such as a percentage or a score. There the
            price is the expected payout, and the market’s page says so.
          </p>
        </Prose>
        <PriceRuler cents={62} />
      </div>
    </GuideSection>
  );
}

function Order() {
  return (
    <GuideSection id="order" title="What happens to an order">
      <OrderPath />
      <p className="mt-4 max-w-2xl text-14 text-ink-2">
        An order usually takes a second or two. Its page shows each step with its transaction, and
        you can leave the page meanwhile.
      </p>
    </GuideSection>
  );
}

const SAFEGUARDS = [
  {
    title: 'The account is yours',
    Icon: KeyRound,
    text: 'Your smart account is a contract on Base that obeys your wallet. You can move everything out of it without Crossbook.',
  },
  {
    title: 'A permission with limits',
    Icon: FileSignature,
    text: `You sign what Crossbook may spend: ${PER_ORDER} per order and ${PER_DAY} per day unless you choose otherwise, for ${USUAL_LIMITS.validForDays} days. A key that stays in your browser signs each order. You can revoke the permission on chain at any time.`,
  },
  {
    title: 'Your price is enforced',
    Icon: Lock,
    text: 'The vault contract locks an order’s funds. They leave it only for a fill within your price limit, or back to your account.',
  },
  {
    title: 'Filled or returned',
    Icon: Hourglass,
    text: 'What is not filled returns to your account. After an order’s expiry anyone can return it, even if Crossbook is down.',
  },
  {
    title: 'Payouts are set aside',
    Icon: Landmark,
    text: 'When a market resolves, the vault sets the whole payout aside before anyone redeems.',
  },
  {
    title: 'A pause locks nothing in',
    Icon: LifeBuoy,
    text: 'A pause of the contracts stops new orders and fills. Refunds, payouts and withdrawals still work.',
  },
];

function Safety() {
  return (
    <GuideSection id="safe" title="Why it is safe">
      <FactGrid facts={SAFEGUARDS} />
    </GuideSection>
  );
}

const POWERS = [
  [
    'You, with your wallet',
    'Everything: trade, withdraw to any address, change or revoke the permission.',
    'Take back an order that is filled.',
  ],
  [
    'Crossbook, with your permission',
    'Place the orders that your devices sign, within your limits, and withdraw to your own wallet; to other addresses only if you allowed it, up to a daily limit.',
    'Spend more than the limits, fill an order beyond its price limit, or place orders after the permission ends.',
  ],
  [
    'Crossbook, without a permission',
    'Finish or return open orders, send a withdrawal that you signed, and redeem payouts to your account.',
    'Place an order, or send your funds anywhere that you did not sign.',
  ],
  [
    'Crossbook, as the administrator',
    'Pause new orders, suspend a market, veto a wrong result, change hourly caps and delays, and decide who holds which role. An attacker with this control could, in time, trade within your limits or settle a market wrongly.',
    'Change the contracts, take a payout that was set aside, or stop your wallet from withdrawing.',
  ],
  [
    'A thief with Crossbook’s trading key',
    'Place bad trades from your account, up to your daily limit each day, until the key is revoked.',
    'Withdraw to another address, unless you allowed such withdrawals.',
  ],
] as const;

function Powers() {
  return (
    <GuideSection id="who" title="Who can do what">
      <PlainTable caption="Who can do what" columns={['Who', 'Can', 'Cannot']} rows={POWERS} />
    </GuideSection>
  );
}

function Risks() {
  return (
    <GuideSection id="risks" title="What you rely on">
      <Prose>
        <p>
          <b>Crossbook and its exchange.</b> Orders are filled at an exchange, where Crossbook holds
          the contracts that back your outcome tokens. Ledger, exchange and chain are compared every
          minute; a difference stops the market. Payouts follow the exchange’s final result, after a
          delay in which a wrong one can be vetoed.
        </p>
        <p>
          <b>Prices move, and markets can be thin.</b> You can lose your whole stake. You may not
          find a buyer when you want to sell.
        </p>
        <p>
          <b>USDC and Base.</b> The issuer of USDC can freeze an address. If Base stops, orders and
          withdrawals wait.
        </p>
        <p>
          The <TextLink href="/status">status page</TextLink> shows whether everything works now.
        </p>
      </Prose>
    </GuideSection>
  );
}
