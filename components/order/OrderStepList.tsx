import clsx from 'clsx';
import { Check, X } from 'lucide-react';
import { Spinner } from '#components/ui/Button.tsx';
import { Age } from '#components/ui/Durations.tsx';
import { LocalTime } from '#components/ui/LocalTime.tsx';
import type { OrderRecordWithEvents } from '#lib/api/schemas/order.ts';
import { type OrderStep, orderSteps } from './orderView.ts';

export function OrderStepList({ order }: { order: OrderRecordWithEvents }) {
  const steps = orderSteps(order);
  const since = steps.findLast((step) => step.at)?.at ?? order.createdAt;
  return (
    <ol className="sheet px-5 py-5" aria-label="Progress">
      {steps.map((step, index) => (
        <li key={step.name} className="relative flex gap-3.5 pb-6 last:pb-0">
          {index < steps.length - 1 && (
            <span
              aria-hidden
              className={clsx(
                'absolute top-7 bottom-1 left-[11px] w-0.5',
                step.state === 'done' ? 'bg-ink' : 'bg-line',
              )}
            />
          )}
          <StepMark state={step.state} />
          <div className="min-w-0 flex-1">
            <p className="flex items-baseline justify-between gap-3">
              <span className={clsx('font-medium', step.state === 'waiting' && 'text-ink-3')}>
                {step.name}
                <span className="sr-only">, {WORDS[step.state]}</span>
              </span>
              <span className="nums shrink-0 text-13 text-ink-3">
                {step.at && step.state === 'done' && <LocalTime at={step.at} format="clock" />}
                {step.state === 'current' && <Age sinceMs={Date.parse(since)} />}
              </span>
            </p>
            {step.state !== 'failed' && <p className="text-14 text-ink-3">{step.explanation}</p>}
            {step.state === 'failed' && <p className="text-14 text-no">Not reached</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}

const WORDS: Record<OrderStep['state'], string> = {
  done: 'done',
  current: 'in progress',
  waiting: 'not yet',
  failed: 'failed',
};

function StepMark({ state }: { state: OrderStep['state'] }) {
  return (
    <span
      aria-hidden
      className={clsx(
        'grid size-6 shrink-0 place-items-center rounded-full',
        state === 'done' && 'bg-ink text-on-ink',
        state === 'current' && 'bg-sunken text-ink',
        state === 'waiting' && 'border-2 border-line',
        state === 'failed' && 'bg-no-solid text-on-solid',
      )}
    >
      {state === 'done' && <Check className="size-3.5" strokeWidth={3} />}
      {state === 'failed' && <X className="size-3.5" strokeWidth={3} />}
      {state === 'current' && <Spinner />}
    </span>
  );
}
