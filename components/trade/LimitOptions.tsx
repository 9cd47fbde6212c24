import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { useNow } from '#components/ui/clock.ts';
import { FIELD, Field, SwitchField } from '#components/ui/Field.tsx';
import type { TimeInForce } from '#lib/api/schemas/limitOrder.ts';
import { mayRest } from '#lib/browser/trade/limitRequest.ts';
import { TIME_IN_FORCE_WORDS } from '#lib/browser/trade/limitWords.ts';
import { dateTime } from '#lib/format/time.ts';
import { ExecutionChoice } from './TicketSettings.tsx';
import { localText } from './useLimitOptions.ts';
import type { LimitTicketState } from './useLimitTicket.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** How long the order rests and what else it keeps to: one row until it is opened. */
export function LimitOptions({ limit }: { limit: LimitTicketState }) {
  const { options, change, ticket, isMarket } = limit;
  const rests = mayRest(options.timeInForce);
  return (
    <details className="group border-t pt-3 text-14">
      <summary className="flex min-h-11 list-none items-center justify-between gap-3 rounded-sm text-ink-2 hover:text-ink md:min-h-9 [&::-webkit-details-marker]:hidden">
        <span>{summaryOf(limit)}</span>
        <ChevronDown aria-hidden className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      <div className="grid gap-3 pt-2 pb-1">
        <Field label="Time in force">
          {(id) => (
            <select
              id={id}
              value={timeInForceOf(limit)}
              onChange={(event) => change({ timeInForce: event.target.value as TimeInForce })}
              className={FIELD}
            >
              {TIMES_IN_FORCE.filter((value) => !isMarket || mayRest(value)).map((value) => (
                <option key={value} value={value}>
                  {TIME_IN_FORCE_WORDS[value]}
                </option>
              ))}
            </select>
          )}
        </Field>
        {options.timeInForce === 'GTD' && (
          <EndField
            label={isMarket ? 'Waits until' : 'Rests until'}
            text={options.endText}
            onChange={(endText) => change({ endText })}
          />
        )}
        <div className="empty:hidden">
          {!limit.trigger && (
            <SwitchField
              isOn={options.isPostOnly && rests}
              disabled={!rests}
              onChange={(isPostOnly) => change({ isPostOnly })}
            >
              Post-only: never match on arrival
            </SwitchField>
          )}
          {!isMarket && (
            <SwitchField
              isOn={options.isReduceOnly}
              onChange={(isReduceOnly) => change({ isReduceOnly })}
            >
              Reduce-only: at most what you hold
            </SwitchField>
          )}
        </div>
        <ExecutionChoice ticket={ticket} />
      </div>
    </details>
  );
}

const TIMES_IN_FORCE = ['GTC', 'GTD', 'IOC', 'FOK'] as const;

/** A market order that waits never rests: of the times only the two until which it waits apply. */
function timeInForceOf({ options, isMarket }: LimitTicketState): TimeInForce {
  return isMarket && !mayRest(options.timeInForce) ? 'GTC' : options.timeInForce;
}

function summaryOf(limit: LimitTicketState): string {
  const { options, ticket, trigger, isMarket } = limit;
  const until = Date.parse(options.endText);
  return [
    options.timeInForce === 'GTD' && Number.isFinite(until)
      ? `Good till ${dateTime(new Date(until).toISOString())}`
      : TIME_IN_FORCE_WORDS[timeInForceOf(limit)],
    options.isPostOnly && !trigger && mayRest(options.timeInForce) ? 'post-only' : '',
    options.isReduceOnly && !isMarket ? 'reduce-only' : '',
    ticket.fields.form.execution === 'forMe' || ticket.isRelayed
      ? 'no network fee'
      : 'you pay the network fee',
  ]
    .filter(Boolean)
    .join(' · ');
}

type EndFieldProps = { label: string; text: string; onChange: (text: string) => void };

function EndField({ label, text, onChange }: EndFieldProps) {
  const id = useId();
  const nowMs = useNow(MINUTE_MS);
  const range =
    nowMs === undefined ? {} : { min: localText(nowMs), max: localText(nowMs + 89 * DAY_MS) };
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="datetime-local"
        value={text}
        {...range}
        onChange={(event) => onChange(event.target.value)}
        // The icon that opens the picker is hidden: it ignores the theme.
        onClick={(event) => event.currentTarget.showPicker()}
        className={FIELD}
      />
    </div>
  );
}
