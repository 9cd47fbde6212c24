import { Ban, Cookie, Eye, Trash2 } from 'lucide-react';
import { Contact } from '#components/guide/Contact.tsx';
import {
  Fact,
  FactGrid,
  GuideHead,
  GuideSection,
  PlainRow,
  PlainTable,
  Prose,
} from '#components/guide/Guide.tsx';
import { getRuntime } from '#server/api/webRuntime.ts';
import { KEY_USAGE_DAYS } from '#server/domain/auth/keyUsage.ts';
import { pageMetadata } from '../../_data/pageMetadata.ts';

export const generateMetadata = () =>
  pageMetadata({
    path: '/privacy',
    title: 'Privacy',
    description:
      'What Crossbook stores about you, for how long, and what it does not do: no cookies, no analytics, no advertising.',
  });

export default async function PrivacyPage() {
  const { config } = await getRuntime();
  return (
    <>
      <GuideHead title="Privacy">
        No name, no email address, no password. Crossbook knows your wallet’s address and what you
        do with it here.
      </GuideHead>
      <GuideSection id="short" title="In short">
        <FactGrid>
          <Fact title="No cookies" Icon={Cookie}>
            No response sets a cookie. Your browser stores your settings itself.
          </Fact>
          <Fact title="No analytics" Icon={Ban}>
            No tracking, no advertising, no scripts of other companies unless you choose their
            wallet.
          </Fact>
          <Fact title="The chain is public" Icon={Eye}>
            Orders, balances and withdrawals on Base can be read by anyone, for good. Crossbook
            cannot delete them.
          </Fact>
        </FactGrid>
      </GuideSection>
      <StoredData retentionDays={config.compliance.retentionDays} />
      <BrowserData />
      <GuideSection id="others" title="Who else receives data">
        <PlainTable caption="Who else receives data" columns={['Who', 'What']}>
          <PlainRow
            head="The exchange"
            cells={['Orders in Crossbook’s own name, without your address.']}
          />
          <PlainRow head="Base and its nodes" cells={['Your transactions, which are public.']} />
          <PlainRow
            head="Your wallet’s provider"
            cells={['What your wallet sends by itself. Its own privacy terms hold.']}
          />
          <PlainRow
            head="Your browser’s push service"
            cells={['Encrypted notifications, if you switch them on.']}
          />
        </PlainTable>
      </GuideSection>
      <YourRights {...config.provider} />
    </>
  );
}

function StoredData({ retentionDays }: { retentionDays: number }) {
  return (
    <GuideSection id="stored" title="What the service stores">
      <PlainTable caption="Stored data" columns={['Data', 'Purpose', 'Deleted']}>
        <PlainRow
          head="Sign-ins: wallet, IP address, browser"
          cells={[
            'To show you your sessions and end them.',
            `At most ${retentionDays} days after they expire, often after a week`,
          ]}
        />
        <PlainRow
          head="Sign-in messages"
          cells={['To accept each signature once.', 'A day after they expire']}
        />
        <PlainRow
          head="Orders, balances and their history"
          cells={[
            'To carry out orders and show them to you. The law requires records of them.',
            'Kept',
          ]}
        />
        <PlainRow
          head="Accepted terms, with the time"
          cells={['As proof of the acceptance.', 'Kept']}
        />
        <PlainRow
          head="API keys: name, networks, pages"
          cells={['If you create one. Only a hash of the key is stored.', 'On request']}
        />
        <PlainRow
          head="Use of API keys by day"
          cells={['To show you your usage.', `After ${KEY_USAGE_DAYS} days`]}
        />
        <PlainRow
          head="Webhooks and their messages"
          cells={['If you create one.', 'Messages after 30 days; addresses on request']}
        />
        <PlainRow
          head="Notified browsers and their messages"
          cells={[
            'If you switch notifications on.',
            'Messages after 7 days; browsers when you switch them off or sign out everywhere',
          ]}
        />
      </PlainTable>
    </GuideSection>
  );
}

function BrowserData() {
  return (
    <GuideSection id="browser" title="What your browser stores">
      <Prose>
        <p>
          In its local storage, readable by this site only: the connected wallet and your account’s
          address, the session, the theme, your watchlist, saved views, address book, ticket
          preferences, and which notifications you have read. Half-typed forms stay in the tab until
          you close it.
        </p>
        <p>
          Signing out removes the session. Clearing this site’s data in the browser’s settings
          removes everything.
        </p>
      </Prose>
    </GuideSection>
  );
}

function YourRights({ name, contact }: { name: string | undefined; contact: string | undefined }) {
  return (
    <GuideSection id="rights" title="Your data, your choice">
      <div className="sheet flex max-w-2xl gap-3 p-5">
        <Trash2 aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-3" />
        <div className="grid gap-2 text-14 text-ink-2">
          <p>
            Signed in, you can read everything that is stored about your wallet with the request{' '}
            <code className="font-mono text-13">GET /v1/account/data</code>.
          </p>
          <p>
            You can have erased what the law does not require
            {contact !== undefined && (
              <>
                : write to <Contact contact={contact} />
              </>
            )}
            . You prove with a signature that the wallet is yours.
          </p>
          <p>Responsible: {name ?? 'the operator of this site, who has not published a name'}.</p>
        </div>
      </div>
    </GuideSection>
  );
}
