/** Whether this is `npm run test:long`, which runs more rounds of random tests. */
export const IS_LONG_RUN = process.env.TEST_LONG === '1';
