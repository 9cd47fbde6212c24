import { describe, expect, it } from 'vitest';
import { readServerEvents } from './stream.ts';

function bodyOf(...parts: string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(encoder.encode(part));
      controller.close();
    },
  });
}

async function read(...parts: string[]) {
  const events = [];
  for await (const event of readServerEvents(bodyOf(...parts))) events.push(event);
  return events;
}

describe('readServerEvents', () => {
  it('given any chunking, returns whole events', async () => {
    const text = 'id: 7\nevent: order\ndata: {"a":1}\n\nevent: market\ndata: x\ndata: y\n\n';
    const expected = [
      { name: 'order', data: '{"a":1}', id: '7' },
      { name: 'market', data: 'x\ny', id: undefined },
    ];
    expect(await read(text)).toEqual(expected);
    expect(await read(...text.split(''))).toEqual(expected);
  });

  it('skips comments and fields without data', async () => {
    expect(await read('retry: 2000\n\n', ': still here\n\n', 'data: z\n\n')).toEqual([
      { name: 'message', data: 'z', id: undefined },
    ]);
  });

  it('accepts all line endings and drops an unfinished event', async () => {
    expect(await read('data: z\r\n\r\ndata: cut')).toEqual([
      { name: 'message', data: 'z', id: undefined },
    ]);
  });
});
