import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { DeveloperNav } from '#components/developers/DeveloperNav.tsx';
import { ExampleKeyField, Snippet } from '#components/developers/Examples.tsx';
import { Figure, Figures } from '#components/ui/Figures.tsx';
import { Hex } from '#components/ui/Hex.tsx';
import { PageLink } from '#components/ui/PageLink.tsx';
import { TEXT_LINK } from '#components/ui/textLink.ts';
import { embedCode } from '#lib/share/embedCode.ts';
import { getPublicConfig } from '#server/api/publicConfig.ts';
import { getRuntime } from '#server/api/webRuntime.ts';

export const metadata: Metadata = {
  title: 'Developers',
  description: 'Trade over HTTP: API guide, contract addresses and examples you can run.',
};

const CONTRACTS = [
  { key: 'usdc', label: 'USDC', name: 'USDC address' },
  { key: 'outcomeToken', label: 'Outcome tokens (ERC-1155)', name: 'outcome token address' },
  { key: 'swapVault', label: 'Swap vault', name: 'vault address' },
  { key: 'settlement', label: 'Settlement', name: 'settlement address' },
  { key: 'accountFactory', label: 'Account factory', name: 'factory address' },
] as const;

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
            This site runs on the same public HTTP API. See the{' '}
            <a href="/v1/openapi.json" className={TEXT_LINK}>
              OpenAPI 3.1
            </a>{' '}
            spec, the{' '}
            <a href="/v1/asyncapi.json" className={TEXT_LINK}>
              AsyncAPI 3.0
            </a>{' '}
            spec of the live updates and{' '}
            <PageLink href="/status" className={TEXT_LINK}>
              the system status
            </PageLink>
            .
          </p>
        </header>
        <Part title="Read prices">
          <p>
            Send your API key with every request.{' '}
            <PageLink href="/developers/keys" className={TEXT_LINK}>
              Make one
            </PageLink>
            {site.sandbox && ', or use the key that the sandbox prints when it starts'}.
          </p>
          <ExampleKeyField />
          <Snippet label="List open markets" code={snippets.markets} />
          <Snippet label="Get a quote for ten contracts" code={snippets.quote} />
        </Part>
        <Part title="Sign in">
          <p>
            Orders need a bearer token as well as the API key. Request a message, sign it with the
            owner’s wallet, and exchange both for a token.
          </p>
          <Snippet label="Get the message, then the token" code={snippets.signIn} />
        </Part>
        <Part title="Place an order">
          <p>
            The <code>clientId</code> makes the request safe to retry. To get transactions for the
            owner’s own wallet instead, send the same body to <code>/v1/order/calldata</code>; it
            needs no token.
          </p>
          <Snippet label="Buy ten Yes for at most 6.20 USDC" code={snippets.order} />
          <Snippet label="Track the order" code={snippets.follow} />
        </Part>
        <Part title="Embed a market">
          <p>
            A card with the live chance and prices, for any page. It needs no key, sets no cookie
            and opens the market in a new tab. <code>theme</code> is <code>light</code> or{' '}
            <code>dark</code>; without it the card follows the reader’s system. The share menu of a
            market has the code with its ticker.
          </p>
          <Snippet label="Card of a market" code={snippets.embed} />
        </Part>
        <Part title="Contracts">
          <Figures className="sheet p-4 [&>div]:flex-wrap">
            <Figure label="Chain id">{site.chainId}</Figure>
            {CONTRACTS.map(({ key, label, name }) => (
              <Figure key={key} label={label}>
                <Hex value={site.contracts[key]} name={name} />
              </Figure>
            ))}
          </Figures>
        </Part>
        <Part title="Errors and limits">
          <p>
            Errors are <code>application/problem+json</code> with a stable <code>code</code> and the{' '}
            <code>requestId</code> to quote in support requests. The <code>RateLimit</code> headers
            show your rate limits; a 429 response says when to retry.{' '}
            <PageLink href="/docs/errors" className={TEXT_LINK}>
              All error codes
            </PageLink>
          </p>
        </Part>
      </div>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-4 text-ink-2 [&_:not(pre)>code]:wrap-anywhere [&_code]:font-mono [&_code]:text-13 [&_code]:text-ink">
      <h2 className="font-semibold text-19 text-ink">{title}</h2>
      {children}
    </section>
  );
}

function developerSnippets(baseUrl: string) {
  const markets = `${baseUrl}/v1/prediction-market/markets`;
  return {
    markets: `curl -s -H "x-api-key: $API_KEY" '${markets}?limit=3'`,
    quote: `curl -s -H "x-api-key: $API_KEY" "${markets}/$TICKER/quote?side=yes&contracts=10"`,
    signIn: `curl -s -H "x-api-key: $API_KEY" "${baseUrl}/v1/auth/message?address=$OWNER"
# sign .message with the owner's wallet (personal_sign), then
curl -s -X POST ${baseUrl}/v1/auth/token \\
  -H "x-api-key: $API_KEY" -H 'content-type: application/json' \\
  -d '{"message": "…", "signature": "0x…"}'`,
    order: `curl -s -X POST ${baseUrl}/v1/order \\
  -H "x-api-key: $API_KEY" -H "authorization: Bearer $TOKEN" \\
  -H 'content-type: application/json' \\
  -d '{
    "orderType": "MarketOrder",
    "order": {
      "orderType": "BUY",
      "baseToken": {"type": "venue", "data": {"marketId": "'$TICKER'", "side": "yes"}},
      "quoteToken": {"type": "chain", "data": {"tokenId": "0", "chainId": 8453, "contractAddress": "'$USDC'"}},
      "baseQuantity": "10",
      "maxQuoteQuantityIn": "6.2"
    },
    "chainId": 8453,
    "clientId": "my-order-1",
    "userAddress": "'$OWNER'"
  }'`,
    embed: embedCode(baseUrl, { ticker: 'TICKER', title: 'Market on Crossbook' }, 'light'),
    follow: `curl -s -H "x-api-key: $API_KEY" ${baseUrl}/v1/order/by-client-id/my-order-1`,
  };
}
