/**
 * Set up in front of each test file while something is broken: its first failure says enough, and the tests behind it
 * might each run out of time.
 */
import { beforeEach } from "vitest";

let hasFailed = false;

beforeEach(({ onTestFailed, skip }) => {
  skip(hasFailed, "an earlier test of this file has failed");
  onTestFailed(() => void (hasFailed = true));
});
