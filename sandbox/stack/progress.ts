/** Tells somebody what is being done, for how long, and with what outcome. */
export type Progress = {
  /**
   * Does a piece of work under a name.
   * @param work its answer may carry a remark to show, set through `remark`
   */
  step: <Result>(
    name: string,
    work: (remark: (text: string) => void) => Promise<Result>,
  ) => Promise<Result>;
};

/** For tests and tools: does the work and says nothing. */
export const silentProgress: Progress = {
  step: (_name, work) => work(() => undefined),
};
