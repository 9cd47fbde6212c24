/**
 * A problem that the user can fix. `message` says what is wrong, `cure` how to fix it; both are
 * shown verbatim, without a stack.
 */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
  readonly cure: string;

  constructor(message: string, cure: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.cure = cure;
  }
}
