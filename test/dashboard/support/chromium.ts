import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Where Debian installs Chromium: first the shell without windows, which needs two thirds of the processor's time. */
const INSTALLED = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
/** The browser; another one is named by CHROMIUM. */
export const CHROMIUM = process.env.CHROMIUM ?? INSTALLED.find((path) => existsSync(path)) ?? INSTALLED[0]!;
/** Keeps the browser from looking for its vendor's services. */
const ARGS = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
  ...["--disable-background-networking", "--disable-component-update"],
];

/** True if a browser is installed. */
export const hasChromium = existsSync(CHROMIUM);

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ARGS });
