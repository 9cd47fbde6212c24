'use client';

import { useEffect } from 'react';

const OPEN = 'details[name="list-choice"][open]';

/**
 * Closes a menu on Escape or a press elsewhere: `details` elements close only by their own summary.
 */
export function MenuDismissal() {
  useEffect(() => {
    const onPress = ({ target }: PointerEvent) => {
      const menu = document.querySelector<HTMLDetailsElement>(OPEN);
      if (menu && !(target instanceof Node && menu.contains(target))) menu.open = false;
    };
    const onKey = ({ key }: KeyboardEvent) => {
      const menu = document.querySelector<HTMLDetailsElement>(OPEN);
      if (key !== 'Escape' || !menu) return;
      menu.open = false;
      menu.querySelector('summary')?.focus();
    };
    window.addEventListener('pointerdown', onPress);
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('pointerdown', onPress);
      window.removeEventListener('keydown', onKey);
    };
  }, []);
  return null;
}
