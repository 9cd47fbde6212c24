import { expect, type Locator, type Page } from 'playwright/test';

/** The maximum number of tab stops before the target. */
const MOST_STOPS = 90;

/** Whether the element has the focus, and whether what has it shows that and is visible. */
export function lookAtFocus(target: Element) {
  const focused = document.activeElement;
  const isThere = focused === target;
  if (!focused || focused === document.body) return { isThere, isShown: true };
  const isMarked = (element: Element | null, depth: number): boolean => {
    if (!element || depth === 0) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const isOutlined = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
    return isOutlined || isMarked(element.parentElement, depth - 1);
  };
  const { top, bottom } = focused.getBoundingClientRect();
  return { isThere, isShown: isMarked(focused, 3) && bottom > 0 && top < innerHeight };
}

/** Presses the key until this has the focus; every stop on the way must show its focus. */
export async function goTo(
  page: Page,
  target: Locator,
  key: 'Tab' | 'Shift+Tab' = 'Tab',
): Promise<void> {
  await expect(target).toBeVisible();
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await page.keyboard.press(key);
    const { isThere, isShown } = await target.evaluate(lookAtFocus);
    expect(isShown, `stop ${stop}`).toBe(true);
    if (isThere) return;
  }
  throw new Error('The keyboard does not come there.');
}
