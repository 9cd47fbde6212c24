import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { notifyParent, settingsFromParent } from '../harness/child.ts';

/** The least that node:http can do: the same bytes for every request of a path. */
export type BareResponses = Record<string, { headers: Record<string, string>; body: string }>;

const replies = new Map(
  Object.entries(await settingsFromParent<BareResponses>()).map(([path, { headers, body }]) => [
    path,
    { headers, body: Buffer.from(body) },
  ]),
);
const server = createServer((request, response) => {
  const reply = replies.get(request.url ?? '');
  if (reply) response.writeHead(200, reply.headers).end(reply.body);
  else response.writeHead(404).end();
});
server.listen(0, '127.0.0.1', () => {
  notifyParent({ ready: (server.address() as AddressInfo).port });
});
