/** What the shares of a company are called that are no others' than its own. */
const SHARE_CLASS_SUFFIX =
  /(?:\s*[-,]\s*|\s+)(?:class [a-z] )?(?:common (?:stock|shares?)|ordinary shares?|capital stock|(?:sponsored )?american depositary (?:shares?|receipts?)|(?:sponsored )?ad[rs]s?|(?:common )?shares of beneficial interest)$/i;
/** What a share stands for, or its par value, in brackets or after a comma. */
const ANNOTATION =
  /\s*\((?:[^()]*\bpar value|(?:\d+ )?(?:each )?represent|each )(?:[^()]|\([^()]*\))*\)$|,? (?:each )?representing .*$/i;

/**
 * A company's name without the words for its shares. Warrants, units, rights, preferred shares and debts, and shares
 * that stand for preferred ones, keep their whole title.
 */
export function companyName(title: string): string {
  const plain = title.replace(ANNOTATION, "").trim();
  const name = plain.replace(SHARE_CLASS_SUFFIX, "").trim();
  const isWhole = name === plain || name === "" || /prefer/i.test(title);
  return isWhole ? title : name;
}
