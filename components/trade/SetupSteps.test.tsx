import { expect, test } from 'vitest';
import { testRoot } from '#components/testing/testRoot.ts';
import { SetupSteps } from './SetupSteps.tsx';

const { container, render } = testRoot();

test('given a step, earlier steps are done and later steps are numbered', async () => {
  await render(<SetupSteps current="Set limits" />);
  const steps = [...container.querySelectorAll('li')];
  expect(steps.map((step) => step.textContent)).toEqual([
    '✓ Connect, done',
    '✓ Sign in, done',
    '3 Set limits',
    '4 Add funds',
  ]);
  expect(steps.map((step) => step.getAttribute('aria-current'))).toEqual([
    null,
    null,
    'step',
    null,
  ]);
});
