const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Words that a letter or two would make a name of: they are words, and no name misspelt. */
export const NEAR_NAMES = words(`
  linda lindy
  strategies progresses looping reloading toolchain
  accidental affirms after aiter alleging allocate alphabets alter amazons ample anton apples applet apply
  applying approving arches assurance autos barrier being berkeley bills biotech bitcoins black blocks
  blurb boding boning booing boring bowing boxing canon capitalize carried carriers carries carton carve
  cases casey cease chaining chapter chevrons choke chose circles codebase cokes collate composed compounds
  convex costa couch cripple crops cube cubed curves deltas dodge dome dukes eaten either ender ethereal
  every finder flows fords forgive fork fortune gainer gender general generic ginger goggle grabs grained
  heartbeat hersey hits hitting human humans idea inactive injecting injection inter interest iron jupyter lender linden
  lined locked looking loses lower lowering lowers lowest lucia macos macron magic makers makes mangle
  marcel march marco marked materials metal mets micro micros mobile modern moment moody morning movements
  nine omicron optimise optimised optimize palantirs partner peple pepsin pillow pipeline plastic polygons
  progressively prolog prologue proper property pulse rains rainy reader recursive renders resumed
  recession recessions reversion ripples rolling ropes rover russell sender shells snaps snapshot southern spectral spell spider
  squares stack sticks stocks store storm stormy strategic synopsis synthesis synthetic taper targets
  tender teslas totals trace trailers trans transition triple triples triplet trust ubers unify units user
  version visas vista walters water years zooms
`);
