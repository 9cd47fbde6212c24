import { Ban, Cookie, Eye, Trash2 } from 'lucide-react';
import { Contact } from '#components/guide/Contact.tsx';
import { FactGrid } from '#components/guide/FactGrid.tsx';
import { GuideHead, GuideSection, Prose } from '#components/guide/Guide.tsx';
import { PlainTable } from '#components/guide/PlainTable.tsx';
import { TextLink } from '#components/ui/TextLink.tsx';
import { getRuntime } from '#server/api/webRuntime.ts';
import { KEY_USAGE_DAYS } from '#server/domain/auth/keyUsage.ts';
import { IDLE_DAYS, LONGEST_DAYS } from '#server/domain/auth/refreshTokens.ts';
import { NOTIFICATION_DAYS } from '#server/domain/notifications/outbox.ts';
import { PRICE_ALERT_DAYS } from '#server/domain/notifications/priceAlerts/priceAlerts.ts';
import { pageMetadata } from '../../_data/pageMetadata.ts';

export const metadata = pageMetadata({
  path: '/privacy',
  title: 'Privacy',
  description:
    'What Crossbook stores about you, for how long, and what it does not do: no tracking cookies, no analytics, no advertising.',
});

export default async function PrivacyPage() {
  const { config } = await getRuntime();
  return (
    <>
      <GuideHead title="Privacy">
        No name, no email address, no password. Crossbook knows your wallet’s address, what you do
        with it here, and the network address and browser you sign in from.
      </GuideHead>
      <GuideSection id="short" title="In short">
        <FactGrid facts={IN_SHORT} />
      </GuideSection>
      <StoredData retentionDays={config.compliance.retentionDays} />
      <BrowserData />
      <GuideSection id="others" title="Who else receives data">
        <PlainTable
          caption="Who else receives data"
          columns={['Who', 'What']}
          rows={OTHER_RECEIVERS}
        />
      </GuideSection>
      <YourRights {...config.provider} />
    </>
  );
}

const IN_SHORT = [
  {
    title: 'One cookie, to stay signed in',
    Icon: Cookie,
    text: `Set when you sign in, deleted when you sign out, and at most ${LONGEST_DAYS} days old. Before you sign in there is none.`,
  },
  {
    title: 'No tracking',
    Icon: Ban,
    text: 'No analytics, no advertising, no scripts from other companies. Pictures of markets come from Crossbook’s own address.',
  },
  {
    title: 'The chain is public',
    Icon: Eye,
    text: 'Orders, balances and withdrawals on Base are public permanently. Crossbook cannot delete them.',
  },
];

const OTHER_RECEIVERS = [
  ['The exchange', 'Orders in Crossbook’s own name, without your address.'],
  ['Base', 'Your transactions, which are public.'],
  ['Name services', 'A domain name that you enter instead of an address, without your wallet.'],
  [
    'Your wallet’s provider',
    'What your wallet, or the relay that connects it, sends. Its own privacy policy applies.',
  ],
  ['Your browser’s push service', 'Encrypted notifications, if you turn them on.'],
] as const;

function StoredData({ retentionDays }: { retentionDays: number }) {
  return (
    <GuideSection id="stored" title="What the service stores">
      <PlainTable
        caption="Stored data"
        columns={['Data', 'Purpose', 'Deleted']}
        rows={[
          [
            'Sign-ins: wallet, IP address, browser',
            'To list your devices and sign them out.',
            `About a week after they expire, ${retentionDays} days at the latest`,
          ],
          [
            'Sign-in messages: wallet, time',
            'To accept each signature once.',
            'Within a day of their expiry',
          ],
          [
            'Watchlist, saved views, address book, preferences',
            'To show them on each device that you sign in on. Encrypted: a copy of the database does not reveal them.',
            'Each when you remove it; all of them on request',
          ],
          [
            'Account settings and signed permissions',
            'To redeem automatically, or not, and to act within your limits.',
            'Permissions stay; settings return to their defaults on request',
          ],
          [
            'Devices of your permission: name, last use',
            'To list them and let you remove them. Their keys stay in your browsers.',
            'On request',
          ],
          [
            'Orders, balances and their history',
            'To carry out orders and show them to you. The law requires records of them.',
            'Never',
          ],
          ['Accepted terms, with the time', 'As proof of the acceptance.', 'Never'],
          [
            'IP addresses of requests',
            'To limit requests per network. Not linked to your wallet.',
            'Soon after the requests end',
          ],
          [
            'API keys: name, networks, websites',
            'If you create one. Only a hash of the key is stored.',
            'On request',
          ],
          ['Use of API keys by day', 'To show you your usage.', `After ${KEY_USAGE_DAYS} days`],
          [
            'Webhooks and their messages',
            'If you create one.',
            `Messages after ${NOTIFICATION_DAYS.webhook} days; a webhook when you delete it`,
          ],
          [
            'Price alerts',
            'If you set one.',
            `When you delete it, or ${PRICE_ALERT_DAYS} days after it has ended`,
          ],
          [
            'Notified browsers and their messages',
            'If you turn notifications on.',
            `Messages after ${NOTIFICATION_DAYS.push} days; a browser when you turn them off or sign out there`,
          ],
        ]}
      />
    </GuideSection>
  );
}

function BrowserData() {
  return (
    <GuideSection id="browser" title="What your browser stores">
      <Prose>
        <p>
          <b>A cookie, after you sign in.</b> It renews your session for up to {LONGEST_DAYS} days,
          or until {IDLE_DAYS} days pass without a visit. Scripts cannot read it, and the browser
          sends it only to renew or end the session.
        </p>
        <p>
          <b>Local storage, readable by this site only.</b> The connected wallet and your account’s
          address, the session, your watchlist, saved views, address book, recent searches, theme,
          ticket and chart preferences, workspace layout, and which notifications you have read.
          Amounts that you type but do not send stay until you leave the page or close the tab.
        </p>
        <p>
          <b>A key, if you sign a permission.</b> It signs the orders that you place in this
          browser. No script can read it, it cannot withdraw, and the Account page ends its rights.
        </p>
        <p>
          Signing out removes the session, the cookie and the address book. The rest stays, also for
          the next user of this browser: to remove it, clear this site’s data in the browser’s
          settings. What your account stores returns when you sign in again.
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
            <b className="font-semibold text-ink">Read it.</b> Your history is under{' '}
            <TextLink href="/activity">Activity</TextLink>, to download as a table. With a token of
            your wallet, the request <code className="font-mono text-13">GET /v1/account/data</code>{' '}
            returns everything else.
          </p>
          <p>
            <b className="font-semibold text-ink">Have it erased.</b>{' '}
            {contact === undefined ? (
              'Ask the operator of this site'
            ) : (
              <>
                Write to <Contact contact={contact} />
              </>
            )}
            : everything is erased but what the law requires. You prove with a signature that the
            wallet is yours.
          </p>
          <p>Responsible: {name ?? 'the operator of this site, who has not published a name'}.</p>
        </div>
      </div>
    </GuideSection>
  );
}
