import clsx from 'clsx';

const STEPS = ['Connect', 'Sign in', 'Set limits', 'Add funds'] as const;

export type SetupStep = (typeof STEPS)[number];

export function SetupSteps({ current }: { current: SetupStep }) {
  const due = STEPS.indexOf(current);
  return (
    <ol className="flex flex-wrap gap-x-4 gap-y-1 text-13" aria-label="Steps to your first trade">
      {STEPS.map((step, index) => (
        <li
          key={step}
          aria-current={index === due ? 'step' : undefined}
          className={clsx(index === due ? 'font-medium text-ink' : 'text-ink-3')}
        >
          <span aria-hidden className="nums">
            {index < due ? '✓' : index + 1}
          </span>{' '}
          {step}
          {index < due && <span className="sr-only">, done</span>}
        </li>
      ))}
    </ol>
  );
}
