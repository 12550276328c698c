/** Formats a result in R with its sign: `+0.05 R`. */
export const formatR = (r: number): string => {
  const text = Math.abs(r).toFixed(2);
  return `${text === "0.00" ? "" : r < 0 ? "-" : "+"}${text} R`;
};
