/** An optional package: no more is assumed of it than what is read where it is used. */
declare module "ccxt" {
  const ccxt: Readonly<Record<string, unknown>>;
  export default ccxt;
}
