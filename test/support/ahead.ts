/**
 * By how much the clock of a process of tests begins ahead of the machine's, in ms: `npm run test:again -- --ahead SECONDS`
 * tries them at another minute, hour and weekday.
 */
export const AHEAD_MS = Number(process.env["TESTS_AHEAD_SECONDS"] ?? 0) * 1000;
