import type { Exchange } from './state.ts';

/**
 * The real exchange pauses trading on Thursdays from 03:00 to 05:00 in New York. Here it does so
 * every day and for two minutes, so that every user of a sandbox experiences it.
 */
const STARTS_AT_MINUTE = 3 * 60;
const LENGTH_MINUTES = 2;
const DAY_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;

const newYorkClock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'America/New_York',
  hour: '2-digit',
  minute: '2-digit',
});

/** The window that is open now, or the next one; times in ms. */
export function nextMaintenance(now: number): { startsAt: number; endsAt: number } {
  const minute = Math.floor(now / MINUTE_MS);
  const [hours = 0, minutes = 0] = newYorkClock.format(now).split(':').map(Number);
  const sinceStart = (hours * 60 + minutes - STARTS_AT_MINUTE + DAY_MINUTES) % DAY_MINUTES;
  const ahead = sinceStart < LENGTH_MINUTES ? -sinceStart : DAY_MINUTES - sinceStart;
  const startsAt = (minute + ahead) * MINUTE_MS;
  return { startsAt, endsAt: startsAt + LENGTH_MINUTES * MINUTE_MS };
}

/** Pauses trading when a window opens and resumes it when the window closes. */
export function followMaintenance(exchange: Exchange): void {
  const now = exchange.clock.now();
  const isOpen = exchange.hasMaintenance && nextMaintenance(now).startsAt <= now;
  if (isOpen === exchange.isInMaintenance) return;
  exchange.isInMaintenance = isOpen;
  exchange.tradingActive = !isOpen;
}
