/**
 * Something the person at the keyboard can put right. `message` says what is wrong, `cure` what to
 * do about it; both are shown as they are, without a stack.
 */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
  readonly cure: string;

  constructor(message: string, cure: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.cure = cure;
  }
}
