import { expect, test } from 'vitest';
import { isTyping } from './isTyping.ts';

function elementOf(html: string): Element | null {
  document.body.innerHTML = html;
  return document.body.firstElementChild;
}

test.each(['<input inputmode="decimal">', '<textarea></textarea>', '<select></select>'])(
  'given %s with the focus, keys go to it',
  (html) => {
    expect(isTyping(elementOf(html))).toBe(true);
  },
);

test.each(['<input type="radio">', '<input type="checkbox">', '<button></button>'])(
  'given %s with the focus, keys go to the page',
  (html) => {
    expect(isTyping(elementOf(html))).toBe(false);
  },
);
