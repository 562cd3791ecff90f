/*
 * The first accounts of the development mnemonic that everybody knows ("test test ... junk"): worth something on this
 * machine's chain alone, where anvil gives them ether.
 */

/** Pays for the gas. */
export const FACILITATOR = {
  address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
  privateKey: "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
} as const;

/** Buys calls: begins with 100 USDC. */
export const BUYER = {
  address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  privateKey: "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
} as const;

/** Gets the money. */
export const MERCHANT = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
