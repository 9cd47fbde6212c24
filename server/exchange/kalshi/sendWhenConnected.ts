import { once } from 'node:events';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';

export type WriteMethod = 'POST' | 'DELETE';

export type Sent = { status: number; date: string | null; text: string };

/** Sends one message. Undefined when its body declined to be sent. */
export type SendMessage = (
  url: string,
  message: {
    method: WriteMethod;
    headers: Record<string, string>;
    /** Called once connected; the result is sent at once, an empty one as a message without body. */
    body: () => Promise<string | undefined>;
    signal: AbortSignal;
  },
) => Promise<Sent | undefined>;

/**
 * Sends a message whose body is requested last. `fetch` takes the body first and may then wait for
 * a connection, too late to check whether the message may still be sent.
 */
export const sendWhenConnected: SendMessage = async (url, { method, headers, body, signal }) => {
  const isSecure = url.startsWith('https:');
  const outgoing = (isSecure ? https : http).request(url, { method, headers, signal });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.on('error', reject);
  });
  try {
    await Promise.race([connected(outgoing, isSecure), answered]);
    const content = await body();
    if (content === undefined) return undefined;
    outgoing.setHeader('content-length', Buffer.byteLength(content));
    outgoing.end(content);
    const response = await answered;
    const { statusCode = 0, headers: received } = response;
    return { status: statusCode, date: received.date ?? null, text: await text(response) };
  } finally {
    // Closes the connection of an unsent message.
    if (!outgoing.writableEnded) outgoing.destroy();
  }
};

async function connected(outgoing: ClientRequest, isSecure: boolean): Promise<void> {
  const [socket] = (await once(outgoing, 'socket')) as [Socket];
  if (outgoing.reusedSocket || (!isSecure && !socket.connecting)) return;
  await once(socket, isSecure ? 'secureConnect' : 'connect');
}
