/**
 * Does something once before the first use, whoever asks first, and again after a failure or after
 * `reset`.
 */
export function lazyInit(start: () => Promise<void>) {
  let begun: Promise<void> | undefined;
  return {
    begin: (): Promise<void> => {
      begun ??= start().catch((error: unknown) => {
        begun = undefined;
        throw error;
      });
      return begun;
    },
    reset: (): void => {
      begun = undefined;
    },
  };
}
