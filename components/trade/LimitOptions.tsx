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
  const { options, change, ticket } = limit;
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
              value={options.timeInForce}
              onChange={(event) => change({ timeInForce: event.target.value as TimeInForce })}
              className={FIELD}
            >
              {Object.entries(TIME_IN_FORCE_WORDS).map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Field>
        {options.timeInForce === 'GTD' && (
          <EndField text={options.endText} onChange={(endText) => change({ endText })} />
        )}
        <div>
          {!limit.trigger && (
            <SwitchField
              isOn={options.isPostOnly && rests}
              disabled={!rests}
              onChange={(isPostOnly) => change({ isPostOnly })}
            >
              Post-only: never match on arrival
            </SwitchField>
          )}
          <SwitchField
            isOn={options.isReduceOnly}
            onChange={(isReduceOnly) => change({ isReduceOnly })}
          >
            Reduce-only: at most what you hold
          </SwitchField>
        </div>
        <ExecutionChoice ticket={ticket} />
      </div>
    </details>
  );
}

function summaryOf({ options, ticket, trigger }: LimitTicketState): string {
  const until = Date.parse(options.endText);
  return [
    options.timeInForce === 'GTD' && Number.isFinite(until)
      ? `Good till ${dateTime(new Date(until).toISOString())}`
      : TIME_IN_FORCE_WORDS[options.timeInForce],
    options.isPostOnly && !trigger && mayRest(options.timeInForce) ? 'post-only' : '',
    options.isReduceOnly ? 'reduce-only' : '',
    ticket.fields.form.execution === 'forMe' ? 'no gas fee' : 'you pay gas',
  ]
    .filter(Boolean)
    .join(' · ');
}

type EndFieldProps = { text: string; onChange: (text: string) => void };

function EndField({ text, onChange }: EndFieldProps) {
  const id = useId();
  const nowMs = useNow(MINUTE_MS);
  const range =
    nowMs === undefined ? {} : { min: localText(nowMs), max: localText(nowMs + 89 * DAY_MS) };
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id}>Rests until</label>
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
