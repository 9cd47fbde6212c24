/** Whether this is `npm run test:long`, in which random tests run more rounds. */
export const IS_LONG_RUN = process.env.TEST_LONG === '1';
