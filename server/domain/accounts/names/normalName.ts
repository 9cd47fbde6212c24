import { normalize } from 'viem/ens';

/**
 * Invisible characters and those that change the reading direction: in a name they only serve to
 * imitate another. The normalisation handles those that emojis contain.
 */
const INVISIBLE =
  /(?!\u{200d}|\u{fe0f}|[\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}|[\u2028\u2029]/u;

export type NameProblem = 'invisible' | 'not_a_name';

/**
 * The normal spelling of a name (ENSIP-15, based on UTS-46), or why it is invalid: the
 * normalisation rejects mixed scripts and imitations of another script.
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
