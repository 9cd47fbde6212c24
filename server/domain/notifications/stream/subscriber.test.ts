import { describe, expect, it } from 'vitest';
import type { FeedItem } from '../../orders/read/eventFeed.ts';
import { createEventStream } from './outlet.ts';
import { StreamMessage } from './streamMessage.ts';
import { Subscriber } from './subscriber.ts';

const subscription = {
  viewer: { apiKeyId: 'key_1', apiKeyKind: 'secret' },
  holders: new Set<string>(),
  sessionId: undefined,
  resumeAfter: 0n,
} as const;

const item = (sequence: bigint) =>
  ({
    sequence,
    apiKeyId: 'key_1',
    ownerAddress: '0x',
    event: { type: `event ${sequence}`, at: '' },
    order: { id: 'order' },
  }) as unknown as FeedItem;

function open(onClose: () => void = () => undefined) {
  const { outlet, stream } = createEventStream();
  return { stream, subscriber: new Subscriber(subscription, outlet, onClose) };
}

/** The whole stream, once it has ended. */
async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const idsOf = (text: string) => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id);

describe('a subscriber', () => {
  it('gets missed events before those that arrived meanwhile, each once', async () => {
    const { subscriber, stream } = open();
    subscriber.sendOrder(item(3n));
    subscriber.sendOrder(item(4n));
    subscriber.endReplay([item(1n), item(2n), item(3n)], true);
    subscriber.sendOrder(item(5n));
    subscriber.close();
    const text = await textOf(stream);
    expect(idsOf(text)).toEqual(['1', '2', '3', '4', '5']);
    expect(text).not.toContain('event: reset');
  });

  it('gets a reset when more was missed than is replayed', async () => {
    const { subscriber, stream } = open();
    subscriber.endReplay([], false);
    subscriber.close();
    expect(await textOf(stream)).toContain('event: reset');
  });

  it('frames one message as one event', async () => {
    const { subscriber, stream } = open();
    subscriber.send(new StreamMessage('market', { title: 'two\nlines' }));
    subscriber.close();
    expect(await textOf(stream)).toContain('event: market\ndata: {"title":"two\\nlines"}\n\n');
  });

  it('is closed when it does not read, with a limited number of waiting bytes', () => {
    let closed = 0;
    const { subscriber } = open(() => {
      closed += 1;
    });
    const market = new StreamMessage('market', { text: 'x'.repeat(10_000) });
    let sent = 0;
    while (!subscriber.isClosed && sent < 1_000) {
      subscriber.send(market);
      sent += 1;
    }
    expect(sent).toBeLessThan(40);
    subscriber.send(market);
    subscriber.close();
    expect(closed).toBe(1);
  });

  it('gets messages from before it reads, and later ones as they are sent', async () => {
    const { subscriber, stream } = open();
    subscriber.beat();
    const reader = stream.getReader();
    const read = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await read()).toContain('retry: ');
    expect(await read()).toContain('still here');
    subscriber.beat();
    expect(await read()).toContain('still here');
  });

  it('ends when the client cancels the stream', async () => {
    let closed = 0;
    const { subscriber, stream } = open(() => {
      closed += 1;
    });
    await stream.cancel();
    subscriber.beat();
    expect(closed).toBe(1);
  });
});
