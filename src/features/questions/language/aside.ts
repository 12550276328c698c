const ASIDE =
  /(?<![\p{L}])(?:(?:but|and) )?(?:not|no|without|except(?: for)?|excluding|minus|ignore|ignoring|skip) (?:the |any |its |their )?(?:news|headlines|earnings|flow|dark pools?)(?![\p{L}])/giu;

/** Removes excluded topics from a text: `Apple but not the news`. */
export const withoutAside = (text: string): string => text.replace(ASIDE, " ");
