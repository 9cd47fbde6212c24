/** Whether this is `npm run test:long`, in which random tests take more rounds. */
export const IS_LONG_RUN = process.env.TEST_LONG === '1';

/** The tags of one case of several: `long` leaves it to `npm run test:long`. */
export const longIf = (isLong: boolean): string[] => (isLong ? ['long'] : []);
