/** The pages of the local stack, one after the other in the same browser: each start of one costs seconds of processor. */
import { afterAll, describe } from "vitest";
import { closeBrowser, executable } from "./browser.ts";
import { describeMailboxPage } from "./pages/mailbox.ts";
import { describeMessagingPage } from "./pages/messaging.ts";
import { describeNetworkPage } from "./pages/network.ts";
import { describePaymentsPage } from "./pages/payments.ts";
import { describeReceiverPage } from "./pages/receiver.ts";

describe.runIf(executable !== null)("in a browser", () => {
  afterAll(closeBrowser);
  describeMailboxPage();
  describeMessagingPage();
  describeNetworkPage();
  describePaymentsPage();
  describeReceiverPage();
});
