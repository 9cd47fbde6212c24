import { isApiProblem } from '#lib/api/problem.ts';

/** The error in words, with the problem of each field. */
export function problemMessage(error: Error): string {
  if (!isApiProblem(error) || error.errors.length === 0) return error.message;
  const fields = error.errors.map(({ pointer, detail }) => {
    const name = pointer.split('/').filter(Boolean).join(' ');
    return name === '' ? detail : `${name}: ${detail}`;
  });
  return `${error.message} ${fields.join('; ')}.`;
}
