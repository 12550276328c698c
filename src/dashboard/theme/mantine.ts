import { createTheme } from "@mantine/core";

/** The look of Mantine's controls; colours come from tokens.css. */
export const theme = createTheme({
  fontFamily: "var(--font)",
  primaryColor: "indigo",
  defaultRadius: "md",
  autoContrast: true,
  cursorType: "pointer",
});
