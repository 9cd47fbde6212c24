import { expect, it } from 'vitest';
import { readMilestone, withMilestones } from './milestones.ts';
import { readSettlement } from './ownRecords.ts';
import { readSchedule } from './schedule.ts';

it('reads hours with a break and maintenance windows', () => {
  const schedule = readSchedule({
    standard_hours: [
      {
        start_time: '2026-01-01T00:00:00Z',
        end_time: '2027-01-01T00:00:00Z',
        monday: [{ open_time: '00:00', close_time: '00:00' }],
        thursday: [
          { open_time: '00:00', close_time: '03:00' },
          { open_time: '05:00', close_time: '24:00' },
        ],
        friday: [{ open_time: '9am', close_time: '17:00' }, null],
      },
    ],
    maintenance_windows: [
      { start_datetime: '2026-11-26T08:00:00Z', end_datetime: '2026-11-26T10:00:00Z' },
      { start_datetime: '2026-11-26T08:00:00Z' },
    ],
  });
  const [hours] = schedule.hours;
  expect(hours?.sessions.monday).toEqual([{ opens: '00:00', closes: '24:00' }]);
  expect(hours?.sessions.thursday).toHaveLength(2);
  expect(hours?.sessions.friday).toEqual([]);
  expect(hours?.sessions.sunday).toEqual([]);
  expect(schedule.maintenance).toEqual([
    { startsAt: new Date('2026-11-26T08:00:00Z'), endsAt: new Date('2026-11-26T10:00:00Z') },
  ]);
  expect(readSchedule({})).toMatchObject({ hours: [], maintenance: [] });
});

it('assigns events their milestones', () => {
  const received = [
    { id: 'm2', start_date: '2026-11-26T18:00:00Z', related_event_tickers: ['E-1', 'E-2'] },
    { id: 'm1', start_date: '2026-11-25T18:00:00Z', primary_event_tickers: ['E-1'], title: 'T' },
    { id: 'm3', related_event_tickers: ['E-1'] },
    { start_date: '2026-11-25T18:00:00Z', related_event_tickers: null },
  ].flatMap((wire) => readMilestone(wire) ?? []);
  const event = {
    eventTicker: 'E-1',
    seriesTicker: 'E',
    title: '',
    subtitle: '',
    mutuallyExclusive: false,
    category: '',
    markets: [],
  };
  const [one, other] = withMilestones([event, { ...event, eventTicker: 'E-3' }], received);
  expect(one?.milestones?.map((milestone) => milestone.id)).toEqual(['m1', 'm2']);
  expect(other?.milestones).toEqual([]);
});

it.each([
  ['both eras', { value: 100, revenue: 1_250, settled_time: '2026-11-20T00:00:00Z' }, 1_000_000n],
  ['a scalar', { value: 37, revenue: 462, settled_time: 1_795_132_800 }, 370_000n],
  ['a missing value', { value: null, revenue: '462', settled_time: 1_795_132_800 }, undefined],
])('reads a settlement with %s', (_what, wire, payoutYesMicros) => {
  const settlement = readSettlement({
    ticker: 'M',
    yes_count_fp: '12.50',
    no_count_fp: '0.00',
    ...wire,
  });
  expect(settlement).toMatchObject({ ticker: 'M', netContractMicros: 12_500_000n });
  expect(settlement?.payoutYesMicros).toBe(payoutYesMicros);
  expect(settlement?.revenueMicros).toBe(BigInt(wire.revenue) * 10_000n);
});

it('does not record a settlement without its revenue', () => {
  expect(readSettlement({ ticker: 'M', settled_time: 1_795_132_800 })).toBe(undefined);
});
