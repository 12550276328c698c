/** Size of the picture in pixels. */
export const SIZE = { width: 1200, height: 675 } as const;

/** Every colour of the picture: dark on light, rising and falling also differ in lightness and fill. */
export const INK = {
  paper: "#ffffff",
  text: "#131722",
  quiet: "#5d6472",
  frame: "#c9ced8",
  grid: "#edf0f4",
  up: "#00897b",
  upFill: "#ffffff",
  down: "#b71c2c",
  entry: "#1858b8",
  stop: "#b71c2c",
  target: "#00796b",
  close: "#131722",
  range: "#3d4f7c",
  wait: "#6b5b1f",
  sample: "#9a3d00",
  samplePaper: "#fff4e5",
} as const;

/** Style of each moving average, by its length; dashes distinguish them without colour. */
export const AVERAGES = [
  { period: 20, stroke: "#1565c0", width: 1.5 },
  { period: 50, stroke: "#e06c00", width: 1.5, dash: "7 3" },
  { period: 200, stroke: "#7b1fa2", width: 1.9 },
] as const;
