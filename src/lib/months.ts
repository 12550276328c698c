/** Three-letter month names, January first. */
export const MONTHS: readonly string[] = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
/** Pattern group for a month name, full or abbreviated; use it case-insensitively. */
export const MONTH =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?";

/** Returns the index of a month, 0-11; -1 if the name is not a month. */
export const monthOf = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase());
