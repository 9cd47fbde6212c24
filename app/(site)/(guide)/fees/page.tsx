import { FeeCurve } from '#components/guide/FeeCurve.tsx';
import { GuideHead, GuideSection, Prose } from '#components/guide/Guide.tsx';
import { PlainTable } from '#components/guide/PlainTable.tsx';
import { Figure, Figures } from '#components/ui/Figures.tsx';
import { FigureTable } from '#components/ui/FigureTable.tsx';
import { cents, contracts, dollarsExact, percentSigned } from '#lib/format/money.ts';
import { feeCurve, feeExample, STANDARD_RATE } from '../../_data/fees.ts';
import { pageMetadata } from '../../_data/pageMetadata.ts';

export const metadata = pageMetadata({
  path: '/fees',
  title: 'Fees',
  description:
    'Crossbook passes on the exchange’s trading fee and adds nothing. The formula, a worked example and a table of prices.',
});

const TABLE_CENTS = [10n, 20n, 30n, 40n, 50n, 60n, 70n, 80n, 90n];

export default function FeesPage() {
  return (
    <>
      <GuideHead title="Fees">
        You pay the exchange’s trading fee, and nothing to Crossbook on top. The ticket shows the
        fee before you confirm, the receipt shows what was charged.
      </GuideHead>
      <Example />
      <Formula />
      <ByPrice />
      <OtherCosts />
    </>
  );
}

function Example() {
  const example = feeExample(60n);
  return (
    <GuideSection id="example" title="A worked example">
      <div className="grid gap-6 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
        <div className="sheet p-5">
          <p className="mb-4 text-14 text-ink-2">
            Buy {contracts(example.contractMicros)} Yes at {cents(example.priceMicros)}
          </p>
          <Figures>
            <Figure label="Contracts">{dollarsExact(example.contractsCostMicros)}</Figure>
            <Figure label="Exchange fee">{dollarsExact(example.feeMicros)}</Figure>
            <Figure label="Crossbook fee">{dollarsExact(0n)}</Figure>
            <Figure label="You pay" strong>
              {dollarsExact(example.totalMicros)}
            </Figure>
          </Figures>
          <div className="mt-4 border-t pt-4">
            <Figures>
              <Figure label="Payout if Yes">{dollarsExact(example.payoutMicros)}</Figure>
              <Figure label="Profit if Yes">
                {dollarsExact(example.payoutMicros - example.totalMicros)} (
                {percentSigned(example.payoutMicros - example.totalMicros, example.totalMicros)})
              </Figure>
              <Figure label="Loss if No">{dollarsExact(-example.totalMicros)}</Figure>
            </Figures>
          </div>
        </div>
        <FeeCurve points={feeCurve()} marked={example} />
      </div>
    </GuideSection>
  );
}

function Formula() {
  return (
    <GuideSection id="formula" title="How the fee is computed">
      <p className="sheet mb-4 px-5 py-4 text-center font-mono text-15">
        {/* On a phone it breaks between its factors. */}
        <span className="inline-block">fee = {STANDARD_RATE} × contracts</span>{' '}
        <span className="inline-block">× price × (1 − price)</span>
      </p>
      <Prose>
        <p>
          The fee is highest at 50¢ and small near 0¢ and $1.00. It is the same for Yes and No, to
          buy and to sell. Amounts are rounded to a hundredth of a cent, a fee always up. A contract
          that you hold to the result is paid out without a fee.
        </p>
        <p>
          <b>An order that rests pays less.</b> When another trader fills it, the exchange charges
          nothing in most markets, and at most half of this fee in the others.
        </p>
        <p>
          <b>Some markets differ.</b> The exchange charges half the rate for some, multiplies it for
          others, and waives it during promotions. Each quote uses the rule of its market. A market
          whose rule Crossbook does not know cannot be traded, so no quote is a guess.
        </p>
        <p>
          <b>You pay what was charged.</b> The most that an order may cost includes the fee. If the
          exchange fills at a better price or charges less, the difference is yours: as USDC, or as
          more contracts if you ordered by amount.
        </p>
      </Prose>
    </GuideSection>
  );
}

function ByPrice() {
  return (
    <GuideSection id="table" title="The usual fee by price">
      <div className="max-w-2xl">
        <FigureTable
          caption="The fee for 100 contracts by price"
          columns={['Price', '100 contracts', 'Fee', 'Fee per contract']}
        >
          <tbody>
            {TABLE_CENTS.map((price) => {
              const row = feeExample(price);
              return (
                <tr key={price} className="[&>*]:border-t">
                  <th scope="row" className="text-left font-normal">
                    {cents(row.priceMicros)}
                  </th>
                  <td className="text-right">{dollarsExact(row.contractsCostMicros)}</td>
                  <td className="text-right font-medium">{dollarsExact(row.feeMicros)}</td>
                  <td className="text-right text-ink-2">{cents(row.feeMicros / 100n)}</td>
                </tr>
              );
            })}
          </tbody>
        </FigureTable>
      </div>
    </GuideSection>
  );
}

const OTHER_COSTS = [
  ['Your smart account', 'Nothing; Crossbook deploys it with your first order', 'Nothing'],
  [
    'Order under your permission',
    'Nothing; Crossbook pays the network fee',
    'The exchange’s fee, on what is filled',
  ],
  [
    'Order that your wallet sends',
    'Nothing',
    'The exchange’s fee, and the network fee in ETH from your wallet, unless Crossbook sends it',
  ],
  [
    'Cancelled or unfilled order',
    'Nothing; all locked funds return',
    'Nothing, or the network fee if your wallet sent it',
  ],
  ['Deposit', 'Nothing', 'Your exchange’s withdrawal fee, or the network fee of your wallet'],
  ['Withdrawal', 'Nothing; Crossbook pays the network fee', 'Nothing'],
  ['Payout of a resolved market', 'Nothing; Crossbook pays the network fee', 'Nothing'],
  [
    'Permission',
    'Nothing to sign or renew it',
    'The network fee in ETH if your wallet revokes it on chain',
  ],
] as const;

function OtherCosts() {
  return (
    <GuideSection id="rest" title="Everything else">
      <PlainTable
        caption="Other costs"
        columns={['What', 'Crossbook charges', 'Others charge']}
        rows={OTHER_COSTS}
      />
    </GuideSection>
  );
}
