import { expect, it } from 'vitest';
import { createStreamRooms } from './streamRooms.ts';

const key = { name: 'key', limit: 2 };
const network = { name: 'network', limit: 3 };

it('given a quota that is full, refuses a stream until another is closed', () => {
  const rooms = createStreamRooms(10);
  const release = rooms.take([key, network]);
  rooms.take([key, network]);
  expect(() => rooms.take([key, network])).toThrow('Too many open streams');
  release();
  expect(() => rooms.requireRoom([key, network])).not.toThrow();
});

it('given a stream that one quota refuses, counts it for none', () => {
  const rooms = createStreamRooms(10);
  rooms.take([key]);
  rooms.take([key]);
  expect(() => rooms.take([network, key])).toThrow();
  for (let n = 0; n < network.limit; n += 1) rooms.take([network]);
  expect(() => rooms.take([network])).toThrow();
});

it('given a full process, refuses every stream', () => {
  const rooms = createStreamRooms(1);
  const release = rooms.take([]);
  expect(() => rooms.take([])).toThrow('Too many open streams');
  release();
  expect(() => rooms.take([])).not.toThrow();
});
