import { expect, it } from 'vitest';
import { nextMaintenance } from './maintenance.ts';

const windowAt = (now: string) => {
  const { startsAt, endsAt } = nextMaintenance(Date.parse(now));
  return [new Date(startsAt).toISOString(), new Date(endsAt).toISOString()];
};

it.each([
  ['before the window, today’s', '2026-12-03T05:10:30Z', '2026-12-03T08:00:00.000Z'],
  ['at its start, the open one', '2026-12-03T08:00:00Z', '2026-12-03T08:00:00.000Z'],
  ['at its last second, the open one', '2026-12-03T08:01:59Z', '2026-12-03T08:00:00.000Z'],
  ['at its end, tomorrow’s', '2026-12-03T08:02:00Z', '2026-12-04T08:00:00.000Z'],
  ['in summer, an hour earlier in UTC', '2026-07-02T05:10:30Z', '2026-07-02T07:00:00.000Z'],
])('given a moment %s is named', (_, now, startsAt) => {
  const endsAt = new Date(Date.parse(startsAt) + 120_000).toISOString();
  expect(windowAt(now)).toEqual([startsAt, endsAt]);
});
