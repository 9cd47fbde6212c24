/** Reports what is being done, its duration and its outcome. */
export type Progress = {
  /**
   * Runs a named piece of work.
   * @param work its result may include a remark, set through `remark`
   */
  step: <Result>(
    name: string,
    work: (remark: (text: string) => void) => Promise<Result>,
  ) => Promise<Result>;
};

/** For tests and tools: runs the work silently. */
export const silentProgress: Progress = {
  step: (_name, work) => work(() => undefined),
};
