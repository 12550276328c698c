/** Words for a company's ordinary shares at the end of a title. */
const SHARE_CLASS_SUFFIX =
  /(?:\s*[-,]\s*|\s+)(?:class [a-z] )?(?:common (?:stock|shares?)|ordinary shares?|capital stock|(?:sponsored )?american depositary (?:shares?|receipts?)|(?:sponsored )?ad[rs]s?|(?:common )?shares of beneficial interest)$/i;
/** Par value, or what a share represents, in brackets or after a comma. */
const ANNOTATION =
  /\s*\((?:[^()]*\bpar value|(?:\d+ )?(?:each )?represent|each )(?:[^()]|\([^()]*\))*\)$|,? (?:each )?representing .*$/i;

/**
 * A company's name without the words for its shares. Titles of warrants, units, rights, debts and of preferred shares, also
 * as depositary shares, stay whole.
 */
export function companyName(title: string): string {
  const plain = title.replace(ANNOTATION, "").trim();
  const name = plain.replace(SHARE_CLASS_SUFFIX, "").trim();
  const isWhole = name === plain || name === "" || /prefer/i.test(title);
  return isWhole ? title : name;
}
