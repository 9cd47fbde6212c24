import type { ReactNode } from 'react';
import { TermsView } from '#components/account/TermsView.tsx';
import { Contact } from '#components/guide/Contact.tsx';
import { GuideHead, GuideNav, GuideSection, Prose } from '#components/guide/Guide.tsx';
import { TextLink } from '#components/ui/TextLink.tsx';
import { getRuntime } from '#server/api/webRuntime.ts';
import { pageMetadata } from '../../_data/pageMetadata.ts';

export const metadata = pageMetadata({
  path: '/terms',
  title: 'Terms',
  description:
    'Who may use Crossbook, what it does and does not do, the risks, and how markets are decided.',
});

export default async function TermsPage() {
  const { provider, compliance } = (await getRuntime()).config;
  const name = provider.name ?? 'the operator of this site';
  return (
    <>
      <GuideNav />
      <GuideHead title="Terms">
        What {name} offers here, what it does not, and what you agree to when you trade.
      </GuideHead>
      {compliance.terms && (
        <section aria-label="Your acceptance" className="mb-10 max-w-2xl">
          <TermsView />
        </section>
      )}
      <div className="grid gap-x-12 lg:grid-cols-2">
        <TradingClauses />
        <OtherClauses {...provider} asksAcceptance={compliance.terms !== undefined} />
      </div>
    </>
  );
}

type ClauseProps = { number: number; title: string; children: ReactNode };

function Clause({ number, title, children }: ClauseProps) {
  return (
    <GuideSection id={`clause-${number}`} title={`${number}. ${title}`}>
      <Prose>
        <p>{children}</p>
      </Prose>
    </GuideSection>
  );
}

function TradingClauses() {
  return (
    <>
      <Clause number={1} title="The service">
        Crossbook carries out your orders for contracts on the outcome of events. They are filled at
        an exchange and delivered as tokens to your smart account on Base. You can trade them here,
        withdraw them, and redeem them when their market resolves.
      </Clause>
      <Clause number={2} title="Who may use it">
        You are of legal age, trading is legal where you are, and you are on no sanctions list.
        Purchases can be refused by region; selling, redeeming and withdrawing stay possible.
        Crossbook places no order and sends no withdrawal for an address on a sanctions or block
        list, but cannot stop what that wallet does on chain.
      </Clause>
      <Clause number={3} title="Your wallet, your account">
        Only your wallet controls the account. Keep its keys: they cannot be restored. What your
        wallet signs counts as yours. Within your{' '}
        <TextLink href="/how-it-works#safe">permission</TextLink> Crossbook acts on your orders; you
        can revoke it at any time.
      </Clause>
      <Clause number={4} title="Orders">
        An order is filled at its price limit or better, in whole or in part, or returned. A filled
        order is final. Orders can be refused, delayed or returned when a market, the exchange, the
        chain or the service is paused or limited.
      </Clause>
      <Clause number={5} title="Results">
        A market is decided by its rules and the exchange’s final result; the market’s page shows
        both. Contracts that are right pay $1.00, others nothing, unless the result sets a payout in
        between. Crossbook does not decide results.
      </Clause>
    </>
  );
}

type OtherClausesProps = {
  name: string | undefined;
  contact: string | undefined;
  asksAcceptance: boolean;
};

function OtherClauses({ name, contact, asksAcceptance }: OtherClausesProps) {
  return (
    <>
      <Clause number={6} title="Fees">
        <TextLink href="/fees">Fees</TextLink> lists them all. The ticket shows the fee before you
        confirm.
      </Clause>
      <Clause number={7} title="Risk">
        You can lose your entire stake. Prices move quickly, and there may be no buyer. Software,
        chains, stablecoins and exchanges can fail. There is no deposit insurance, and nothing here
        is advice.
      </Clause>
      <Clause number={8} title="Fair use">
        Do not manipulate markets, trade on an outcome that you decide or know in secret, use the
        service for others’ money without their consent, or attack it. Your access can be suspended
        for this; your funds stay yours.
      </Clause>
      <Clause number={9} title="Availability and changes">
        The service is offered as it is, without a promise that it always works.{' '}
        {asksAcceptance && 'New terms ask for your acceptance before your next purchase. '}Nothing
        in these terms limits rights that the law gives you.
      </Clause>
      <Clause number={10} title="Contact">
        {name ?? 'The operator of this site has not published a name'}
        {contact !== undefined && (
          <>
            , <Contact contact={contact} />
          </>
        )}
        . <TextLink href="/privacy">Privacy</TextLink> says how your data is handled.
      </Clause>
    </>
  );
}
