import type { ExchangeSchedule, Weekday } from '../port.ts';
import { asList, asWire, moment, text, type Wire } from './wire.ts';

const WEEKDAYS: Weekday[] = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
];
const CLOCK = /^([01]\d|2[0-4]):[0-5]\d$/;

/** Trading hours and maintenance windows; unreadable sessions are skipped. */
export function readSchedule(wire: Wire): ExchangeSchedule {
  return {
    timeZone: 'America/New_York',
    hours: asList(wire.standard_hours).map((item) => {
      const hours = asWire(item);
      return {
        from: moment(hours.start_time) ?? null,
        to: moment(hours.end_time) ?? null,
        sessions: Object.fromEntries(
          WEEKDAYS.map((day) => [day, asList(hours[day]).flatMap(readSession)]),
        ) as ExchangeSchedule['hours'][number]['sessions'],
      };
    }),
    maintenance: asList(wire.maintenance_windows).flatMap((item) => {
      const window = asWire(item);
      const startsAt = moment(window.start_datetime);
      const endsAt = moment(window.end_datetime);
      return startsAt && endsAt && startsAt < endsAt ? [{ startsAt, endsAt }] : [];
    }),
  };
}

/** A session that ends at midnight ends at 24:00. */
function readSession(item: unknown): { opens: string; closes: string }[] {
  const session = asWire(item);
  const opens = text(session, 'open_time');
  const given = text(session, 'close_time');
  const closes = given === '00:00' ? '24:00' : given;
  return CLOCK.test(opens) && CLOCK.test(closes) && opens < closes ? [{ opens, closes }] : [];
}
