import clsx from 'clsx';

export type ButtonTone = 'primary' | 'quiet' | 'outline' | 'yes' | 'no';

const TONES: Record<ButtonTone, string> = {
  primary: 'bg-ink text-on-ink hover:opacity-90',
  quiet: 'text-ink-2 hover:bg-sunken hover:text-ink',
  outline: 'border border-line bg-surface text-ink hover:border-line-strong',
  yes: 'bg-yes-solid text-on-solid hover:opacity-90',
  no: 'bg-no-solid text-on-solid hover:opacity-90',
};

const SIZES = {
  s: 'min-h-9 whitespace-nowrap px-3 text-13 max-[20rem]:whitespace-normal max-md:min-h-11',
  m: 'min-h-11 whitespace-nowrap px-4 text-15 max-[20rem]:whitespace-normal',
  // Full width with a long label, which may take two lines on a phone.
  l: 'min-h-12 px-5 py-1.5 text-base leading-tight',
};

export type ButtonSize = keyof typeof SIZES;

export function buttonStyle(tone: ButtonTone = 'outline', size: ButtonSize = 'm'): string {
  return clsx(
    'inline-flex items-center justify-center gap-2 rounded-md font-medium transition-[opacity,background-color,border-color] duration-(--quick)',
    'disabled:cursor-default disabled:bg-sunken disabled:text-ink-3 disabled:opacity-100',
    TONES[tone],
    SIZES[size],
  );
}
