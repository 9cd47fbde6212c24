'use client';

import { useHydrated } from '#components/ui/clock.ts';
import { Segmented } from '#components/ui/Segmented.tsx';
import { chooseTheme, type Theme, useTheme } from '#lib/browser/theme.ts';

const THEMES: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

export function ThemePanel() {
  const theme = useTheme();
  const hydrated = useHydrated();
  return (
    <section className="sheet p-5" aria-labelledby="theme-heading">
      <h2 id="theme-heading" className="mb-4 font-semibold text-17">
        Appearance
      </h2>
      <Segmented
        legend="Theme"
        value={hydrated ? theme : 'system'}
        options={THEMES}
        onChange={chooseTheme}
      />
    </section>
  );
}
