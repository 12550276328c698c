/** The optional package. Its exports are not typed. */
declare module "ccxt" {
  const ccxt: Readonly<Record<string, unknown>>;
  export default ccxt;
}
