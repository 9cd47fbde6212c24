import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseMicros } from '#lib/money.ts';
import { quoteFromBook } from '#server/domain/markets/quotes/quote.ts';
import { notifyParent, settingsFromParent } from '../harness/child.ts';

/** A server that only walks a book in memory; amounts are decimal strings of micros. */
export type BookSettings = { path: string; bids: { price: string; contracts: string }[] };

const { path, bids } = await settingsFromParent<BookSettings>();
const levels = bids.map(({ price, contracts }) => ({
  priceMicros: BigInt(price),
  contractMicros: BigInt(contracts),
}));
const book = { ticker: 'BENCH', yesBids: [], noBids: levels };
const fee = { kind: 'quadratic', takerRateMicros: 70_000n, multiplierMicros: 1_000_000n } as const;

const server = createServer((request, response) => {
  const [asked, search = ''] = (request.url ?? '').split('?');
  if (asked !== path) return void response.writeHead(404).end();
  const contracts = new URLSearchParams(search).get('contracts') ?? '0';
  const quote = quoteFromBook({
    book,
    fee,
    action: 'buy',
    side: 'yes',
    contractMicros: parseMicros(contracts),
  });
  const body = JSON.stringify(quote, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  response
    .writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    })
    .end(body);
});
server.listen(0, '127.0.0.1', () => {
  notifyParent({ ready: (server.address() as AddressInfo).port });
});
