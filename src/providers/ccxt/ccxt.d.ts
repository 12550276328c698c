/** The optional package; nothing is assumed about its exports. */
declare module "ccxt" {
  const ccxt: Readonly<Record<string, unknown>>;
  export default ccxt;
}
