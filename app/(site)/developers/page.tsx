import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { DeveloperNav } from '#components/developers/DeveloperNav.tsx';
import { OwnKeyField } from '#components/developers/OwnKeyField.tsx';
import { Snippet } from '#components/developers/Snippet.tsx';
import { Figure, Figures } from '#components/ui/Figures.tsx';
import { Hex } from '#components/ui/Hex.tsx';
import { getPublicConfig } from '#server/api/publicConfig.ts';
import { getRuntime } from '#server/api/webRuntime.ts';
import { developerSnippets } from '../_data/developerSnippets.ts';

export const metadata: Metadata = {
  title: 'Developers',
  description: 'Trade over HTTP: the interface, its addresses and examples that run as they are.',
};

export default async function DevelopersPage() {
  const { config } = await getRuntime();
  const site = getPublicConfig(config);
  const snippets = developerSnippets(config.publicBaseUrl);
  return (
    <>
      <DeveloperNav />
      <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-10">
        <header>
          <h1 className="font-semibold text-26 tracking-[-0.015em]">Developers</h1>
          <p className="mt-2 text-ink-2">
            Everything these pages do goes through the same HTTP interface. It is described in{' '}
            <a
              href="/v1/openapi.json"
              className="underline decoration-line-strong underline-offset-4"
            >
              OpenAPI 3.1
            </a>
            ; its state is at{' '}
            <a href="/status" className="underline decoration-line-strong underline-offset-4">
              the status page
            </a>
            .
          </p>
        </header>
        <Part title="Read prices">
          <p>
            Send your API key with every request.{' '}
            <a
              href="/developers/keys"
              className="underline decoration-line-strong underline-offset-4"
            >
              Make one
            </a>
            {site.sandbox && ', or take the one that the start screen of the sandbox shows'}.
          </p>
          <OwnKeyField />
          <Snippet label="List open markets" code={snippets.markets} />
          <Snippet label="Ask what ten contracts cost" code={snippets.quote} />
        </Part>
        <Part title="Sign in">
          <p>
            Orders need a bearer token beside the key: have the owner’s wallet sign the message you
            get, and send both back.
          </p>
          <Snippet label="Get the message, then the token" code={snippets.signIn} />
        </Part>
        <Part title="Place an order">
          <p>
            The <code>clientId</code> makes the request safe to repeat. With{' '}
            <code>/v1/order/calldata</code> and the same body you get the transactions for the
            owner’s own wallet instead; it needs no token.
          </p>
          <Snippet label="Buy ten Yes for at most 6.20 USDC" code={snippets.order} />
          <Snippet label="Follow it" code={snippets.follow} />
        </Part>
        <Part title="Contracts">
          <Figures className="sheet p-4">
            <Figure label="Chain id">{site.chainId}</Figure>
            <Figure label="USDC">
              <Hex value={site.contracts.usdc} name="USDC address" />
            </Figure>
            <Figure label="Outcome tokens (ERC-1155)">
              <Hex value={site.contracts.outcomeToken} name="outcome token address" />
            </Figure>
            <Figure label="Swap vault">
              <Hex value={site.contracts.swapVault} name="vault address" />
            </Figure>
            <Figure label="Account factory">
              <Hex value={site.contracts.accountFactory} name="factory address" />
            </Figure>
          </Figures>
        </Part>
        <Part title="Errors and limits">
          <p>
            Errors are <code>application/problem+json</code> with a stable <code>code</code> and the{' '}
            <code>requestId</code> to quote when you ask about one. Limits are told in the{' '}
            <code>RateLimit</code> headers; a 429 says when to come back.{' '}
            <a href="/docs/errors" className="underline decoration-line-strong underline-offset-4">
              All error codes
            </a>
          </p>
        </Part>
      </div>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-4 text-ink-2 [&_code]:font-mono [&_code]:text-13 [&_code]:text-ink">
      <h2 className="font-semibold text-19 text-ink">{title}</h2>
      {children}
    </section>
  );
}
