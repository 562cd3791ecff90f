/** The `Dial` of Node is the prober's; tests and the stack use it too. */
export { createNodeDial, type NodeDialOptions } from "#functions/smtp-prober/node-dial.ts";
