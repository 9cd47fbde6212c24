import { readerLocale } from './locale.ts';

const SHOWN_DECIMALS = 5;

/** "0.01234 ETH" of a decimal amount: cut after five decimals, so that it never shows too much. */
export function etherShort(decimal: string): string {
  const [whole = '0', fraction = ''] = decimal.split('.');
  const shown = fraction.slice(0, SHOWN_DECIMALS).replace(/0+$/, '');
  if (whole === '0' && shown === '' && /[1-9]/.test(fraction)) {
    return `<0${readerLocale().decimal}00001 ETH`;
  }
  return `${whole}${shown && readerLocale().decimal}${shown} ETH`;
}
