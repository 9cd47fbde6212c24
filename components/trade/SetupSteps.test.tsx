import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SetupSteps } from './SetupSteps.tsx';

let root: Root;
let container: HTMLElement;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  container = document.createElement('div');
  document.body.append(container);
  root = createRoot(container);
});
afterEach(async () => {
  await act(async () => root.unmount());
  container.remove();
  vi.unstubAllGlobals();
});

test('given a step, earlier steps are done and later steps are numbered', async () => {
  await act(async () => root.render(<SetupSteps current="Set limits" />));
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
