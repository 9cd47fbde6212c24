import { normalize } from 'viem/ens';

/**
 * Characters that show nothing or turn the reading direction: in a name they only serve to make
 * two names look alike. Those that emojis are made of are left to the normalisation.
 */
const INVISIBLE =
  /(?!\u{200d}|\u{fe0f}|[\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}|[\u2028\u2029]/u;

export type NameProblem = 'invisible' | 'not_a_name';

/**
 * The one spelling of a name (ENSIP-15, which builds on UTS-46), or why it is none: what mixes
 * scripts or imitates another script is refused by the normalisation.
 */
export function normalName(text: string): { name: string } | { problem: NameProblem } {
  if (INVISIBLE.test(text)) return { problem: 'invisible' };
  try {
    const name = normalize(text);
    const labels = name.split('.');
    const isName = labels.length >= 2 && labels.every((label) => label !== '');
    return isName ? { name } : { problem: 'not_a_name' };
  } catch {
    return { problem: 'not_a_name' };
  }
}
