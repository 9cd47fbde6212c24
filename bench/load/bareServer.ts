import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { settingsFromParent, tellParent } from '../harness/child.ts';

/** The least that node:http can do: the same bytes for every request of a path. */
export type BareAnswers = Record<string, { headers: Record<string, string>; body: string }>;

const answers = new Map(
  Object.entries(await settingsFromParent<BareAnswers>()).map(([path, { headers, body }]) => [
    path,
    { headers, body: Buffer.from(body) },
  ]),
);
const server = createServer((request, response) => {
  const answer = answers.get(request.url ?? '');
  if (answer) response.writeHead(200, answer.headers).end(answer.body);
  else response.writeHead(404).end();
});
server.listen(0, '127.0.0.1', () => {
  tellParent({ ready: (server.address() as AddressInfo).port });
});
